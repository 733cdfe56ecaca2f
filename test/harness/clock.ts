import type { Clock } from "edgehelm";

interface Waiting {
  readonly at: number;
  readonly act: () => void;
}

/** A clock that moves when it is told to; what waits for it, such as jobs, acts when it gets there. */
export class TestClock implements Clock {
  #now: number;
  readonly #waiting = new Set<Waiting>();

  /** @param start unix milliseconds; the real time unless told */
  constructor(start = Date.now()) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Runs `act` when the clock is moved so far. Answers what to call when it should not any more. */
  after(milliseconds: number, act: () => void): () => void {
    const waiting = { at: this.#now + milliseconds, act };
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }

  /** Moves time on, and makes what becomes due meanwhile act in its order. */
  advance(seconds: number): void {
    const end = this.#now + seconds * 1000;
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#waiting.delete(next);
      this.#now = next.at;
      next.act();
    }
    this.#now = end;
  }

  #nextUntil(end: number): Waiting | undefined {
    const due = [...this.#waiting].filter(({ at }) => at <= end);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}
