import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const TIMEOUT_MILLISECONDS = 90_000;

/** The result of one check of a client program. `error` is empty if the check passed. */
export interface Check {
  readonly name: string;
  readonly error: string;
}

/** Runs a client program, which prints one line of JSON for each of its checks. */
export async function runClient(program: string, args: readonly string[]): Promise<Check[]> {
  const lines = (await output(program, args)).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/**
 * Runs a program and returns its output.
 *
 * @throws Error with its error output if the exit code is not 0
 */
export function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, timeout: TIMEOUT_MILLISECONDS });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => stdout += chunk);
    child.stderr.on("data", (chunk) => stderr += chunk);
    child.once("error", reject);
    child.once("close", (code) => code === 0 ? resolve(stdout) : reject(new Error(`${program}: ${stderr}${stdout}`)));
  });
}
