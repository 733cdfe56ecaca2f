import { idFrom, idTo, type Piece } from "./batch.ts";
import { compareBytes, hashBytes } from "./bytes.ts";
import { withMoreSlots } from "./hash_slots.ts";

const NO_BYTES = new Uint8Array(0);

/** A request id to look for, and its hash. */
export class IdKey {
  bytes: Uint8Array = NO_BYTES;
  from = 0;
  to = 0;
  hash = 0;

  static of(id: Uint8Array): IdKey {
    return new IdKey().take(id, 0, id.length);
  }

  take(bytes: Uint8Array, from: number, to: number): this {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.hash = hashBytes(bytes, from, to);
    return this;
  }
}

/** Where a row is. */
export interface RowPlaces {
  pieceOf(row: number): Piece;
  startOf(row: number): number;
}

/** Finds unsealed rows by their request ids. */
export class IdTable {
  readonly #places: RowPlaces;
  /** Of each slot the hash of an id, and its row plus one; 0 where there is none. */
  #slots = new Uint32Array(8192);
  #count = 0;

  constructor(places: RowPlaces) {
    this.#places = places;
  }

  /** The row with the id; -1 when there is none. */
  find(key: IdKey): number {
    return this.#slots[this.#slotOf(key) + 1]! - 1;
  }

  /** Takes a row, of which `key` is the id; of rows with one id the last is found. */
  add(row: number, key: IdKey): void {
    const slot = this.#slotOf(key);
    if (this.#slots[slot + 1] === 0) this.#count++;
    this.#slots[slot] = key.hash;
    this.#slots[slot + 1] = row + 1;
    if (this.#count * 4 > this.#slots.length) this.#slots = withMoreSlots(this.#slots);
  }

  /** Begins again with the rows below `rows`. */
  rebuild(rows: number): void {
    this.#slots.fill(0);
    this.#count = 0;
    const key = new IdKey();
    for (let row = 0; row < rows; row++) {
      const piece = this.#places.pieceOf(row);
      const at = this.#places.startOf(row);
      this.add(row, key.take(piece.bytes, idFrom(at), idTo(piece, at)));
    }
  }

  /** Where the id stands, or would. */
  #slotOf({ bytes, from, to, hash }: IdKey): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash << 1 & mask;; slot = slot + 2 & mask) {
      const row = slots[slot + 1]! - 1;
      if (row < 0) return slot;
      if (slots[slot] !== hash) continue;
      const piece = this.#places.pieceOf(row);
      const at = this.#places.startOf(row);
      if (compareBytes(piece.bytes, idFrom(at), idTo(piece, at), bytes, from, to) === 0) return slot;
    }
  }
}
