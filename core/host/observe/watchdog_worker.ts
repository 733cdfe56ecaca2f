import { writeSync } from "node:fs";
import process from "node:process";
import { workerData } from "node:worker_threads";
import { BEATS, STOP_IN_MILLISECONDS, type WatchdogData } from "./watchdog.ts";

// This file is a program: the thread of the watchdog.
const STEP_MILLISECONDS = 200;
const { shared, stuckMilliseconds } = workerData as WatchdogData;
const state = new Int32Array(shared);
const stderr = 2;

let beats = Atomics.load(state, BEATS);
let standing = 0;
let stopping = 0;

function end(reason: string): void {
  // Not through process.stderr, which the main thread writes.
  writeSync(stderr, `${reason}; the process is ended\n`);
  process.kill(process.pid, "SIGKILL");
}

// Counts steps, not the time: while the machine sleeps, both threads do.
setInterval(() => {
  const now = Atomics.load(state, BEATS);
  standing = now === beats ? standing + STEP_MILLISECONDS : 0;
  beats = now;
  if (standing >= stuckMilliseconds) end(`the event loop has been blocked for ${stuckMilliseconds / 1000} seconds`);
  const limit = Atomics.load(state, STOP_IN_MILLISECONDS);
  if (limit === 0) return;
  stopping += STEP_MILLISECONDS;
  if (stopping >= limit) end("something still runs after the time to stop (stop.drainSeconds)");
}, STEP_MILLISECONDS);
