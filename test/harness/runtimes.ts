import { execFileSync } from "node:child_process";
import process from "node:process";
import { type Runtime, THIS_RUNTIME } from "./server.ts";
import { reportMissing } from "./needs.ts";

/** Returns the runtime of this test and, if npm can install it, the other one. */
export function runtimes(): [string, Runtime][] {
  const isDeno = "Deno" in globalThis;
  const other = isDeno ? otherRuntime("node@24", "node", []) : otherRuntime("deno@2.9.6", "deno", ["run", "-A"]);
  if (other === undefined) reportMissing(isDeno ? "node@24 from npm" : "deno@2.9.6 from npm");
  const name = (runtime: Runtime): [string, Runtime] => [runtime.includes("run") ? "Deno" : "Node", runtime];
  return [THIS_RUNTIME, ...other === undefined ? [] : [other]].map(name);
}

/** Returns a version of Node from npm, or undefined if npm cannot install it. */
export function nodeProgram(version: "22" | "24"): string | undefined {
  const program = otherRuntime(`node@${version}`, "node", [])?.[0];
  if (program === undefined) reportMissing(`node@${version} from npm`);
  return program;
}

function otherRuntime(source: string, program: string, flags: readonly string[]): Runtime | undefined {
  try {
    const args = ["--yes", "-p", source, "sh", "-c", `command -v ${program}`];
    const path = execFileSync("npx", args, {
      encoding: "utf8",
      env: process.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return [path.trim(), ...flags];
  } catch {
    return undefined;
  }
}
