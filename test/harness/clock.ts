import type { Clock } from "edgehelm";

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/**
 * A clock that a test advances. Timers set on it, such as those of jobs, fire when it reaches their time.
 *
 * @example
 * ```ts
 * import { as, TestClock, testKernel } from "edgehelm/testing";
 * import plugin from "../plugin.ts";
 *
 * const clock = new TestClock();
 * await using edgehelm = await testKernel({ plugins: [plugin], clock });
 * const token = await edgehelm.token(as.user(7n));
 * clock.advance(7201); // the token has expired
 * ```
 */
export class TestClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  /** The time zone of the installation. */
  readonly timeZone: string;

  /**
   * @param start in unix milliseconds; defaults to the current time
   * @param timeZone the time zone of the installation, a name of the IANA database
   */
  constructor(start = Date.now(), timeZone = "UTC") {
    this.#now = start;
    this.timeZone = timeZone;
  }

  /** Returns the time in unix milliseconds. */
  now(): number {
    return this.#now;
  }

  /**
   * Sets a timer.
   *
   * @param milliseconds the time until it fires
   * @returns a function that cancels the timer
   */
  after(milliseconds: number, callback: () => void): () => void {
    const timer = { dueAt: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Advances the time by a number of seconds and fires the timers that become due, in order. */
  advance(seconds: number): void {
    const end = this.#now + seconds * 1000;
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#timers.delete(next);
      this.#now = next.dueAt;
      next.callback();
    }
    this.#now = end;
  }

  #nextUntil(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueAt }) => dueAt <= end);
    return due.sort((first, second) => first.dueAt - second.dueAt)[0];
  }
}
