#!/usr/bin/env node
import process from "node:process";
import { runCommandLine } from "./command_line.ts";
import { reportFailure } from "./failure.ts";

/** Ends the process after its output was taken: a pipe may still hold back a long one. */
async function exit(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    // the reader, such as head, may have ended
    stream.once("error", () => {});
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }
  process.exit(code);
}

try {
  await runCommandLine(process.argv.slice(2));
} catch (error) {
  await exit(reportFailure(error));
}
await exit(typeof process.exitCode === "number" ? process.exitCode : 0);
