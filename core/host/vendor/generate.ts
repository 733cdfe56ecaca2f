import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";
import { packageFolder } from "../load/resolve_plugin.ts";
import { writeComments } from "./write_comments.ts";

const GENERATOR = "@bufbuild/protoc-gen-es";
/** The command that runs a module of JavaScript on this runtime. */
const RUN: readonly string[] = "Deno" in globalThis ? [process.execPath, "run", "-A"] : [process.execPath];
/** Generated code finds the shared messages in the package. */
const OPTIONS = [
  "target=ts",
  "import_extension=ts",
  "erasable_syntax=true",
  ...["proto", "proto/models", "proto/shapes"].map((folder) => `rewrite_imports=./${folder}/**:edgehelm`),
];

/**
 * Generates the code of all proto files in the folder `proto` of a plugin, with the versions of the generator that the
 * plugin installed.
 *
 * @returns lines for the author
 */
export async function generate(folder: string): Promise<string[]> {
  const root = resolve(folder);
  if (!existsSync(join(root, "proto"))) throw new StartupError(`${root} has no folder "proto"`);
  const buf = await bufProgram(root);
  const generator = join(installed(GENERATOR, root), "bin/protoc-gen-es");
  const template = {
    version: "v2",
    inputs: [{ directory: "proto" }],
    plugins: [{ local: [...RUN, generator], out: "proto", opt: OPTIONS }],
  };
  run(buf, ["generate", "--template", JSON.stringify(template)], root);
  return await writeComments(join(root, "proto"), run(buf, ["build", "-o", "-"], root));
}

/** Returns the program of this platform, which the package of buf installs beside itself. */
async function bufProgram(root: string): Promise<string> {
  const platform = `@bufbuild/buf-${process.platform}-${process.arch}`;
  const ending = process.platform === "win32" ? ".exe" : "";
  return join(installed(platform, await realpath(installed("@bufbuild/buf", root))), `bin/buf${ending}`);
}

function installed(name: string, from: string): string {
  const folder = packageFolder(name, [from]);
  if (folder !== undefined) return folder;
  throw new StartupError(`${name} is not installed: run npm install, or deno install, in the folder of the plugin`);
}

function run(program: string, args: readonly string[], cwd: string): Uint8Array {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, maxBuffer: 2 ** 28 });
  if (error !== undefined) throw new StartupError(`${program} does not run: ${error.message}`, { cause: error });
  if (status !== 0) throw new StartupError(`${args[0]}: ${stderr}${stdout}`.trim());
  return stdout;
}
