import { stalledWrite } from "../stalled_write.ts";

/** Notices work that runs no statement for a time. While a statement runs, or waits for the server, it is not silent. */
export class Silence {
  readonly #milliseconds: number;
  readonly #expired = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = 0;
  #hasEnded = false;

  /** @param milliseconds Infinity for work that may be silent */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#expired.promise.catch(() => undefined);
  }

  /** Waits for work, which may call `during`. Rejects when the work is silent for too long. */
  async race<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#wait();
    try {
      return await Promise.race([work(), this.#expired.promise]);
    } finally {
      this.#hasEnded = true;
      clearTimeout(this.#timer);
    }
  }

  /** Waits for a statement. */
  async during<Result>(statement: Promise<Result>): Promise<Result> {
    this.#running++;
    clearTimeout(this.#timer);
    try {
      return await statement;
    } finally {
      this.#running--;
      this.#wait();
    }
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#running > 0 || this.#hasEnded || this.#milliseconds === Infinity) return;
    const due = performance.now() + this.#milliseconds;
    this.#timer = setTimeout(() => {
      // If the process itself stood still, the work could not run a statement.
      if (performance.now() - due > this.#milliseconds / 2) this.#wait();
      else this.#expired.reject(stalledWrite(this.#milliseconds));
    }, this.#milliseconds);
  }
}
