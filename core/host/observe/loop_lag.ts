const INTERVAL_MILLISECONDS = 500;
const SAMPLES = 60;

/** Measures how late timers fire, which is how long the event loop was blocked. */
export class LoopLag {
  readonly #delays: number[] = [];
  #expected = performance.now() + INTERVAL_MILLISECONDS;

  constructor() {
    setInterval(() => this.#sample(), INTERVAL_MILLISECONDS).unref();
  }

  /** Returns the maximum delay of the last 30 seconds, including one that is still in progress. */
  seconds(): number {
    return Math.max(0, performance.now() - this.#expected, ...this.#delays) / 1000;
  }

  #sample(): void {
    const now = performance.now();
    this.#delays.push(Math.max(0, now - this.#expected));
    if (this.#delays.length > SAMPLES) this.#delays.shift();
    this.#expected = now + INTERVAL_MILLISECONDS;
  }
}
