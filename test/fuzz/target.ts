import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { DescMethod } from "@bufbuild/protobuf";
import { THIS_RUNTIME } from "../harness/server.ts";
import { firstParty } from "../matrix/plugins.ts";
import { generatedServices } from "../rules/generated.ts";

const PROGRAM = fileURLToPath(new URL("./server.ts", import.meta.url));

/** The fuzzed server, in its own process. */
export interface FuzzTarget {
  readonly url: string;
  readonly tokens: readonly (string | undefined)[];
  readonly methods: readonly DescMethod[];
  /** Returns the log lines at level error. */
  loggedErrors(): readonly string[];
  /** Returns true if the process has not exited. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Starts a server with every plugin of the project, on the runtime of this process. */
export async function startTarget(): Promise<FuzzTarget> {
  const [program, ...flags] = THIS_RUNTIME;
  const child: ChildProcess = spawn(program!, [...flags, PROGRAM], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => output += chunk);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on("data", () => {
      const match = /listening on (\S+)\n/.exec(output)?.[1];
      if (match !== undefined) resolve(match);
    });
    child.once("close", (code) => reject(new Error(`ended with code ${code}: ${output}`)));
  });
  const served = new Set(firstParty.flatMap(({ manifest }) => manifest.services));
  const services = (await generatedServices()).filter(({ name }) => served.has(name));
  return {
    url,
    tokens: [...JSON.parse(/^tokens: (.+)$/m.exec(output)![1]!), undefined, "nonsense", "a.b.c"],
    methods: services.flatMap(({ methods }) => methods),
    loggedErrors: () => output.split("\n").filter((line) => line !== "" && !/^(tokens|http): /.test(line)),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: () =>
      new Promise((resolve) => {
        child.once("close", () => resolve());
        process.kill(child.pid!, "SIGTERM");
      }),
  };
}
