import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { THIS_RUNTIME } from "../../harness/server.ts";
import type { TargetInstallation } from "./installation.ts";

const PROGRAM = fileURLToPath(new URL("./server.ts", import.meta.url));

/** The options of the program of a target. */
export interface TargetStart {
  readonly directory: string;
  readonly callers: readonly { readonly role: string; readonly id: string }[];
  /** The paths of modules with further plugins. */
  readonly plugins: readonly string[];
  readonly bodySeconds: number;
}

/** A server under attack, in its own process. */
export class Target {
  readonly httpPort: number;
  readonly grpcPort: number;
  /** The access tokens of the callers of the installation, in their order; undefined for an anonymous one. */
  readonly tokens: readonly (string | undefined)[];
  readonly #child: ChildProcess;
  readonly #lines: () => readonly string[];

  private constructor(child: ChildProcess, lines: () => readonly string[]) {
    const { urls, tokens } = JSON.parse(lines()[0]!);
    [this.httpPort, this.grpcPort] = urls.map((url: string) => Number(new URL(url).port));
    this.tokens = tokens.map((token: string | null) => token ?? undefined);
    this.#child = child;
    this.#lines = lines;
  }

  /** Starts a server on a copy of the installation, on the runtime of this process. */
  static async start(
    installation: TargetInstallation,
    { plugins = [], bodySeconds = 3 }: Partial<Pick<TargetStart, "plugins" | "bodySeconds">> = {},
  ): Promise<Target> {
    const directory = await installation.copy();
    const callers = installation.callers.map(({ role, id }) => ({ role, id: String(id) }));
    const start: TargetStart = { directory, callers, plugins, bodySeconds };
    const [program, ...flags] = THIS_RUNTIME;
    const child = spawn(program!, [...flags, PROGRAM, JSON.stringify(start)], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk);
    const ended = once(child, "close").then(() => {
      throw new Error(`the server ended: ${output}`);
    });
    while (!/^\{.*\n/.test(output)) await Promise.race([ended, once(child.stdout, "data")]);
    ended.catch(() => undefined);
    return new Target(child, () => output.split("\n").filter((line) => line !== ""));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Everything that the server printed after its start: errors that it logged, or why it ended. */
  get loggedErrors(): readonly string[] {
    return this.#lines().slice(1);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Stops the server, and returns once it has ended. */
  async stop(): Promise<void> {
    if (!this.isAlive) return;
    const closed = once(this.#child, "close");
    // Not child.kill(), after which Deno loses the exit code.
    process.kill(this.pid, "SIGTERM");
    await closed;
  }
}
