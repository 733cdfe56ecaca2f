export interface SearchLimits {
  /** The time at which the search stops, in unix milliseconds. */
  readonly deadline: number;
  /** The maximum number of rows to examine. */
  readonly rows: number;
  /** The number of milliseconds after which the search yields to other work. */
  readonly slice: number;
  /** Yields to other work. */
  readonly turn: () => Promise<void>;
}

/** The rows that a search may examine even after its deadline, so that a client that continues it makes progress. */
const MIN_ROWS = 2000;

/** Limits the time and rows of a search, and makes it yield to other work. */
export class SearchBudget {
  isCancelled = false;
  readonly #limits: SearchLimits;
  #rows = 0;
  #sliceEnd: number;

  constructor(limits: SearchLimits) {
    this.#limits = limits;
    this.#sliceEnd = performance.now() + limits.slice;
  }

  get isExhausted(): boolean {
    if (this.isCancelled) return true;
    return this.#rows >= MIN_ROWS && (this.#rows >= this.#limits.rows || Date.now() >= this.#limits.deadline);
  }

  spend(rows: number): void {
    this.#rows += rows;
  }

  async yieldIfDue(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await this.#limits.turn();
    this.#sliceEnd = performance.now() + this.#limits.slice;
  }
}
