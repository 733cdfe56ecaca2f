import type { Clock } from "edgehelm";

/** A clock that moves when it is told to. */
export class TestClock implements Clock {
  #now: number;

  /** @param start unix milliseconds; the real time unless told */
  constructor(start = Date.now()) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Moves time on. */
  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
