import { spawnSync } from "node:child_process";
import { root } from "./generated.ts";

/** Runs buf on this repository; throws what it says when it fails. */
export function buf(...args: readonly string[]): Uint8Array {
  const run = spawnSync("node", ["node_modules/@bufbuild/buf/bin/buf", ...args], {
    cwd: root,
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (run.error !== undefined) throw run.error;
  if (run.status !== 0) throw new Error(`buf ${args[0]} failed: ${run.stderr}${run.stdout}`);
  return run.stdout;
}

/** Whether buf runs on this machine; says so when it does not, since tests that need it are then skipped. */
export function bufRuns(): boolean {
  try {
    buf("--version");
    return true;
  } catch (error) {
    console.warn(`SKIPPED: tests that need buf, which does not run here: ${error}`);
    return false;
  }
}
