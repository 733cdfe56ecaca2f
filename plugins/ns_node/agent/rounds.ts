import { pauseBefore, wait } from "./backoff.ts";
import { errorText, type Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Pauses do not grow after this many: most rounds fail because Knot does not run, which harms only this machine. */
const MAX_FAILURES = 4;

/** Work in rounds, one at a time: a request during a round has it run once more. A round that fails is repeated. */
export class Rounds {
  readonly #work: () => Promise<void>;
  readonly #log: Log;
  readonly #metrics: Metrics;
  #wake: (() => void) | undefined;
  #isAsked = false;

  constructor(work: () => Promise<void>, log: Log, metrics: Metrics) {
    this.#work = work;
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Asks for a round that begins after this. */
  ask(): void {
    this.#isAsked = true;
    this.#wake?.();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const wake = () => this.#wake?.();
    signal.addEventListener("abort", wake);
    let failures = 0;
    while (!signal.aborted) {
      if (!this.#isAsked) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      this.#isAsked = false;
      const begin = performance.now();
      try {
        await this.#work();
        failures = 0;
        this.#metrics.add("syncs");
        this.#metrics.set("last_sync_time", Math.floor(Date.now() / 1000));
      } catch (error) {
        if (signal.aborted) return;
        this.#metrics.add("sync_errors");
        this.#log.warn("a round failed", { error: errorText(error) });
        this.#isAsked = true;
        await wait(pauseBefore(Math.min(failures++, MAX_FAILURES)), signal);
      }
      this.#metrics.add("sync_seconds", (performance.now() - begin) / 1000);
    }
  }
}
