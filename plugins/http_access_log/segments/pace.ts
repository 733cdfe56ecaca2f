export interface PaceBounds {
  /** When the search stops, in unix milliseconds. */
  readonly deadline: number;
  /** How many rows it looks at. */
  readonly rows: number;
  /** How many milliseconds it goes on before others have a turn. */
  readonly slice: number;
  /** Gives others a turn. */
  readonly turn: () => Promise<void>;
}

/** So many rows are looked at however late it is, so that whoever goes on from there gets through. */
const LEAST_ROWS = 2000;

/** Bounds a search, and lets others have their turn in between. */
export class Pace {
  isCancelled = false;
  readonly #bounds: PaceBounds;
  #rows = 0;
  #sliceEnd: number;

  constructor(bounds: PaceBounds) {
    this.#bounds = bounds;
    this.#sliceEnd = performance.now() + bounds.slice;
  }

  get isOver(): boolean {
    if (this.isCancelled) return true;
    return this.#rows >= LEAST_ROWS && (this.#rows >= this.#bounds.rows || Date.now() >= this.#bounds.deadline);
  }

  spend(rows: number): void {
    this.#rows += rows;
  }

  async rest(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await this.#bounds.turn();
    this.#sliceEnd = performance.now() + this.#bounds.slice;
  }
}
