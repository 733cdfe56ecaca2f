import { idFrom, idTo, type Piece } from "./batch.ts";
import { compareBytes, hashBytes } from "./bytes.ts";

const NONE = 0xffffffff;

/** Where a row is. */
export interface RowPlaces {
  pieceOf(row: number): Piece;
  startOf(row: number): number;
}

/** Finds unsealed rows by their request ids. */
export class IdTable {
  readonly #places: RowPlaces;
  #slots = new Uint32Array(4096).fill(NONE);
  #count = 0;

  constructor(places: RowPlaces) {
    this.#places = places;
  }

  /** The row with the id; -1 when there is none. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashBytes(bytes, from, to) & mask;; slot = slot + 1 & mask) {
      const row = this.#slots[slot]!;
      if (row === NONE) return -1;
      const piece = this.#places.pieceOf(row);
      const at = this.#places.startOf(row);
      if (compareBytes(piece.bytes, idFrom(at), idTo(piece, at), bytes, from, to) === 0) return row;
    }
  }

  /** Takes a row; of rows with one id the last is found. */
  add(row: number): void {
    if (++this.#count * 2 > this.#slots.length) this.rebuild(row, this.#slots.length * 4);
    const piece = this.#places.pieceOf(row);
    const at = this.#places.startOf(row);
    const mask = this.#slots.length - 1;
    let slot = hashBytes(piece.bytes, idFrom(at), idTo(piece, at)) & mask;
    for (; this.#slots[slot] !== NONE; slot = slot + 1 & mask) {
      const known = this.#slots[slot]!;
      const other = this.#places.pieceOf(known);
      const there = this.#places.startOf(known);
      const isSame =
        compareBytes(other.bytes, idFrom(there), idTo(other, there), piece.bytes, idFrom(at), idTo(piece, at)) === 0;
      if (isSame) break;
    }
    this.#slots[slot] = row;
  }

  /** Begins again with the rows below `rows`. */
  rebuild(rows: number, capacity = this.#slots.length): void {
    this.#slots = new Uint32Array(capacity).fill(NONE);
    this.#count = 0;
    for (let row = 0; row < rows; row++) this.add(row);
    if (rows > 0) this.#count = rows + 1;
  }
}
