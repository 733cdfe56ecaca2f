/** Numbers that look random and are the same in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, but without, 1. */
  next(): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  list<Item>(longest: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(longest + 1) }, make);
  }
}
