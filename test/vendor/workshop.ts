import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { nodeProgram } from "../harness/runtimes.ts";
import { type CommandResult, runToEnd } from "../harness/server.ts";
import { Registry, registryRuns } from "../servers/registry.ts";

/** The folders of a vendor, and the registry that has the packed project. */
export interface Workshop extends AsyncDisposable {
  readonly folder: string;
  /** The folder of the packed project. */
  readonly packed: string;
  readonly registry: Registry;
  /** Creates an empty folder with the settings of npm. */
  empty(name: string): Promise<string>;
  /** Runs a line of shell with a version of Node in front. */
  run(at: string, line: string, node?: "22" | "24"): Promise<CommandResult>;
}

/** Returns true if this is asked for, since it takes minutes, and everything that a vendor needs can be installed. */
export function workshopRuns(): boolean {
  return process.env["TEST_VENDOR"] !== undefined && registryRuns() && nodeProgram("22") !== undefined &&
    nodeProgram("24") !== undefined;
}

/** Packs the project and publishes it in a new registry. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-vendor-"));
  const programs = { "22": nodeProgram("22")!, "24": nodeProgram("24")! };
  const registry = await Registry.start(programs["24"], join(folder, "registry"));
  const packed = join(folder, "packed");
  const workshop: Workshop = {
    folder,
    packed,
    registry,
    async empty(name) {
      const path = join(folder, name);
      await mkdir(path);
      await writeFile(join(path, ".npmrc"), registry.npmrc);
      return path;
    },
    run: (at, line, node = "24") => shell(at, line, `${dirname(programs[node])}:${process.env["PATH"]}`),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const { code, output } = await runToEnd(["pack", packed], {});
  if (code !== 0) throw new Error(output);
  await writeFile(join(folder, ".npmrc"), registry.npmrc);
  const published = await workshop.run(folder, `npm publish ${packed}`);
  if (published.code !== 0) throw new Error(published.output);
  return workshop;
}

function shell(cwd: string, line: string, path: string): Promise<CommandResult> {
  const env = { ...process.env, PATH: path, NO_COLOR: "1", npm_config_audit: "false", npm_config_fund: "false" };
  const child = spawn("bash", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}
