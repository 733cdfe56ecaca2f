import { kernelErrors } from "../../errors.ts";

/** Lets so many through at a time, in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a turn; what it answers gives the turn back.
   *
   * @param until unix milliseconds, when nobody waits any more
   */
  async take(until: number): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(until);
    return () => this.#pass();
  }

  #wait(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(turn);
        reject(kernelErrors.deadline("waiting for the database"));
      }, Math.max(0, until - Date.now()));
      this.#waiting.add(turn);
    });
  }

  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
