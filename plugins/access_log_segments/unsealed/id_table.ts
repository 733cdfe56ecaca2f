import { idFrom, idTo, type RowBuffer } from "../rows/batch.ts";
import { compareBytes, hashBytes } from "../rows/bytes.ts";
import { withDoubledSlots } from "../terms/hash_slots.ts";

const NO_BYTES = new Uint8Array(0);

/** A request id with its hash; reusable to avoid allocations. */
export class IdKey {
  bytes: Uint8Array = NO_BYTES;
  from = 0;
  to = 0;
  hash = 0;

  static of(id: Uint8Array): IdKey {
    return new IdKey().set(id, 0, id.length);
  }

  set(bytes: Uint8Array, from: number, to: number): this {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.hash = hashBytes(bytes, from, to);
    return this;
  }
}

/** Locates rows. */
export interface RowLocator {
  bufferOf(row: number): RowBuffer;
  startOf(row: number): number;
}

/** Indexes unsealed rows by their request ids. */
export class IdTable {
  readonly #locator: RowLocator;
  /** Per slot the hash of an id and its row plus one, or 0 if the slot is free. */
  #slots = new Uint32Array(8192);
  #count = 0;

  constructor(locator: RowLocator) {
    this.#locator = locator;
  }

  /** Returns the row with the id, or -1. */
  find(key: IdKey): number {
    return this.#slots[this.#slotOf(key) + 1]! - 1;
  }

  /** Adds a row under its id, in place of an earlier row with the same id. */
  add(row: number, key: IdKey): void {
    const slot = this.#slotOf(key);
    if (this.#slots[slot + 1] === 0) this.#count++;
    this.#slots[slot] = key.hash;
    this.#slots[slot + 1] = row + 1;
    if (this.#count * 4 > this.#slots.length) this.#slots = withDoubledSlots(this.#slots);
  }

  /** Rebuilds the table with the rows below `rows`. */
  rebuild(rows: number): void {
    this.#slots.fill(0);
    this.#count = 0;
    const key = new IdKey();
    for (let row = 0; row < rows; row++) {
      const buffer = this.#locator.bufferOf(row);
      const at = this.#locator.startOf(row);
      this.add(row, key.set(buffer.bytes, idFrom(at), idTo(buffer, at)));
    }
  }

  /** Returns the slot of the id, or the free slot for it. */
  #slotOf({ bytes, from, to, hash }: IdKey): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash << 1 & mask;; slot = slot + 2 & mask) {
      const row = slots[slot + 1]! - 1;
      if (row < 0) return slot;
      if (slots[slot] !== hash) continue;
      const buffer = this.#locator.bufferOf(row);
      const at = this.#locator.startOf(row);
      if (compareBytes(buffer.bytes, idFrom(at), idTo(buffer, at), bytes, from, to) === 0) return slot;
    }
  }
}
