import { spawnSync } from "node:child_process";
import { root } from "./generated.ts";
import { reportMissing } from "../harness/needs.ts";

/**
 * Runs buf on this repository and returns its output.
 *
 * @throws Error with the output of buf if it fails
 */
export function buf(...args: readonly string[]): Uint8Array {
  const result = spawnSync("node", ["node_modules/@bufbuild/buf/bin/buf", ...args], {
    cwd: root,
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error(`buf ${args[0]} failed: ${result.stderr}${result.stdout}`);
  return result.stdout;
}

/** Returns true if buf runs on this machine, and prints a warning otherwise. Tests that need buf are then skipped. */
export function bufRuns(): boolean {
  try {
    buf("--version");
    return true;
  } catch (error) {
    reportMissing(`a machine on which buf runs (${error})`);
    return false;
  }
}
