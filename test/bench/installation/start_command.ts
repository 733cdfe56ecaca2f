import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** A program with its arguments. */
export type Command = readonly [program: string, ...words: string[]];

const DENO = "Deno" in globalThis ? process.execPath : "deno";

/** A module run by Deno. */
export function denoCommand(module: string, ...words: readonly string[]): Command {
  return [DENO, "run", "-A", module, ...words];
}

let node: string | undefined;

/** A module run by Node 24, which npm installs. */
export function nodeCommand(module: string, ...words: readonly string[]): Command {
  const npx = ["--yes", "-p", "node@24", "node", "-p", "process.execPath"];
  node ??= execFileSync("npx", npx, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  return [node, module, ...words];
}

/** The command line of a checkout, as its own `start` task has it, for whatever path its module has. */
export function startCommand(root: string, runtime: "deno" | "node" = "deno"): Command {
  const { tasks } = JSON.parse(readFileSync(join(root, "deno.json"), "utf8"));
  const found = /^deno run -A (\S+) start$/.exec(tasks.start);
  if (found === null) throw new Error(`the task "start" in deno.json is not known to the bench: ${tasks.start}`);
  const module = join(root, found[1]!);
  return runtime === "deno" ? denoCommand(module, "start") : nodeCommand(module, "start");
}
