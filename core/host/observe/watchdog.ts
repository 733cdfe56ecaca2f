import { Worker } from "node:worker_threads";

// In the packed project, both this file and the worker are JavaScript.
const WORKER = new URL(`./watchdog_worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);
const BEAT_MILLISECONDS = 200;
const MIN_STUCK_MILLISECONDS = 5000;
/** The time that an orderly stop has for its last steps after the drain time, on a busy machine too. */
const STOP_MARGIN_MILLISECONDS = 10_000;

/** The shared memory of the watchdog and its worker, as indexes of 32-bit integers. */
export const BEATS = 0;
export const STOP_IN_MILLISECONDS = 1;

export interface WatchdogData {
  readonly shared: SharedArrayBuffer;
  readonly stuckMilliseconds: number;
}

/**
 * Ends the process when its event loop stands still, such as in a regular expression or a loop of a plugin: nothing in
 * the loop itself could, and a signal to stop would not be noticed. It watches from a thread of its own.
 */
export class Watchdog {
  readonly #state = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @param drainMilliseconds the time within which the process ends when it is asked to */
  constructor(drainMilliseconds: number) {
    const data: WatchdogData = {
      shared: this.#state.buffer as SharedArrayBuffer,
      stuckMilliseconds: Math.max(MIN_STUCK_MILLISECONDS, drainMilliseconds),
    };
    this.#worker = new Worker(WORKER, { workerData: data });
    this.#worker.unref();
    this.#timer = setInterval(() => Atomics.add(this.#state, BEATS, 1), BEAT_MILLISECONDS);
    this.#timer.unref();
  }

  /** Ends the process after this time, whatever still runs. */
  endWithin(milliseconds: number): void {
    Atomics.store(this.#state, STOP_IN_MILLISECONDS, milliseconds + STOP_MARGIN_MILLISECONDS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#worker.terminate();
  }
}
