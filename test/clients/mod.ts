import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const MAX_MILLISECONDS = 90_000;

/** How one check of a foreign client ended; `fault` is empty when it passed. */
export interface Check {
  readonly name: string;
  readonly fault: string;
}

/** Runs a program that prints one line of JSON for each of its checks. */
export async function runClient(program: string, words: readonly string[]): Promise<Check[]> {
  const lines = (await output(program, words)).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** What a program prints; fails with what it complains of when it does not end well. */
export function output(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: ROOT, timeout: MAX_MILLISECONDS });
    let [out, complaints] = ["", ""];
    child.stdout.on("data", (chunk) => out += chunk);
    child.stderr.on("data", (chunk) => complaints += chunk);
    child.once("error", reject);
    child.once("close", (code) => code === 0 ? resolve(out) : reject(new Error(`${program}: ${complaints}${out}`)));
  });
}
