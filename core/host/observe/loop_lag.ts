const EVERY_MILLISECONDS = 500;
const KEPT = 60;

/** How late timers are, which is how long the event loop was held up. */
export class LoopLag {
  readonly #delays: number[] = [];
  #expected = performance.now() + EVERY_MILLISECONDS;

  constructor() {
    setInterval(() => this.#look(), EVERY_MILLISECONDS).unref();
  }

  /** The longest delay of the last 30 seconds, also one that is not over yet. */
  seconds(): number {
    return Math.max(0, performance.now() - this.#expected, ...this.#delays) / 1000;
  }

  #look(): void {
    const now = performance.now();
    this.#delays.push(Math.max(0, now - this.#expected));
    if (this.#delays.length > KEPT) this.#delays.shift();
    this.#expected = now + EVERY_MILLISECONDS;
  }
}
