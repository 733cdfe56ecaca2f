import { ByteWriter, grown, hashBytes } from "../rows/bytes.ts";
import { withDoubledSlots } from "./hash_slots.ts";
import { orderTerms } from "./term_order.ts";

/** Collects the distinct values of a column and the rows of each while a segment is built. */
export class Dictionary {
  #bytes = new ByteWriter(4096);
  /** The start of each value, and the end of the last one. */
  #bounds = new Uint32Array(256);
  #count = 0;
  /** Per slot the hash of a value and its code plus one, or 0 if the slot is free. */
  #slots = new Uint32Array(1024);
  #codes = new Uint32Array(4096);
  #rows = new Uint32Array(4096);
  #pairs = 0;

  /** Adds a value of a row; rows must be added in ascending order. */
  add(row: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#pairs === this.#codes.length) {
      this.#codes = grown(this.#codes, Uint32Array);
      this.#rows = grown(this.#rows, Uint32Array);
    }
    this.#codes[this.#pairs] = this.#codeOf(bytes, from, to);
    this.#rows[this.#pairs++] = row;
  }

  /** Yields the values in byte order, each with its rows. */
  *values(): Generator<{ bytes: Uint8Array; from: number; to: number; rows: Uint32Array }> {
    const bytes = this.#bytes.bytes;
    const bounds = this.#bounds;
    const starts = new Uint32Array(this.#count + 1);
    for (let pair = 0; pair < this.#pairs; pair++) starts[this.#codes[pair]! + 1]!++;
    for (let code = 0; code < this.#count; code++) starts[code + 1]! += starts[code]!;
    const next = starts.slice();
    const sorted = new Uint32Array(this.#pairs);
    for (let pair = 0; pair < this.#pairs; pair++) sorted[next[this.#codes[pair]!]!++] = this.#rows[pair]!;
    for (const code of orderTerms({ bytes, bounds, count: this.#count })) {
      const rows = sorted.subarray(starts[code]!, starts[code + 1]!);
      yield { bytes, from: bounds[code]!, to: bounds[code + 1]!, rows: withoutRepeats(rows) };
    }
  }

  #codeOf(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash << 1 & mask;; slot = slot + 2 & mask) {
      const code = slots[slot + 1]! - 1;
      if (code < 0) return this.#insert(slot, hash, bytes, from, to);
      if (slots[slot] === hash && this.#isSame(code, bytes, from, to)) return code;
    }
  }

  #isSame(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#bounds[code]!;
    if (this.#bounds[code + 1]! - start !== to - from) return false;
    const stored = this.#bytes.bytes;
    for (let at = from; at < to; at++) if (stored[start + at - from] !== bytes[at]) return false;
    return true;
  }

  #insert(slot: number, hash: number, bytes: Uint8Array, from: number, to: number): number {
    const code = this.#count++;
    if (this.#count === this.#bounds.length) this.#bounds = grown(this.#bounds, Uint32Array);
    this.#bytes.raw(bytes, from, to);
    this.#bounds[this.#count] = this.#bytes.length;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.#count;
    if (this.#count * 4 > this.#slots.length) this.#slots = withDoubledSlots(this.#slots);
    return code;
  }
}

/** Removes repeated rows: a row can have a value twice, for example a tag. */
function withoutRepeats(rows: Uint32Array): Uint32Array {
  for (let index = 1; index < rows.length; index++) {
    if (rows[index] === rows[index - 1]) return rows.filter((row, at) => row !== rows[at - 1]);
  }
  return rows;
}
