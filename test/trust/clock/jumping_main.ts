import { readFileSync } from "node:fs";
import process from "node:process";

// This file is a program: the command line of Edgehelm with a system clock that jumps. It is as far from the real one,
// in milliseconds, as the file says that TEST_CLOCK names. Timers run on, as they do when a real clock jumps.
const POLL_MILLISECONDS = 10;
const path = process.env["TEST_CLOCK"]!;
const RealDate = Date;
let offset = readOffset();

globalThis.Date = class extends RealDate {
  constructor(...parameters: []) {
    super(...(parameters.length === 0 ? [RealDate.now() + offset] : parameters) as []);
  }

  static override now(): number {
    return RealDate.now() + offset;
  }
} as DateConstructor;

setInterval(() => {
  const next = readOffset();
  if (next === offset) return;
  offset = next;
  process.stdout.write(`the clock is off by ${offset}\n`);
}, POLL_MILLISECONDS).unref();

function readOffset(): number {
  return Number(readFileSync(path, "utf8"));
}

await import("../../../core/host/cli/main.ts");
