import { ByteWriter, compareBytes, hashBytes } from "./bytes.ts";

const NONE = 0xffffffff;

/** The distinct values of a column while a segment is built, and in which rows each stands. */
export class Dictionary {
  #bytes = new ByteWriter(4096);
  #from = new Uint32Array(256);
  #hashes = new Uint32Array(256);
  #count = 0;
  #table = new Uint32Array(1024).fill(NONE);
  #codes = new Uint32Array(4096);
  #rows = new Uint32Array(4096);
  #pairs = 0;

  /** Notes that a row has a value; rows come in ascending order. */
  add(row: number, bytes: Uint8Array, from: number, to: number): void {
    if (this.#pairs === this.#codes.length) {
      this.#codes = doubled(this.#codes);
      this.#rows = doubled(this.#rows);
    }
    this.#codes[this.#pairs] = this.#codeOf(bytes, from, to);
    this.#rows[this.#pairs++] = row;
  }

  /** Each value in order, with its rows. */
  *values(): Generator<{ bytes: Uint8Array; from: number; to: number; rows: Uint32Array }> {
    const bytes = this.#bytes.bytes;
    const order = Uint32Array.from({ length: this.#count }, (_, code) => code);
    order.sort((one, other) =>
      compareBytes(bytes, this.#from[one]!, this.#end(one), bytes, this.#from[other]!, this.#end(other))
    );
    const starts = new Uint32Array(this.#count + 1);
    for (let pair = 0; pair < this.#pairs; pair++) starts[this.#codes[pair]! + 1]!++;
    for (let code = 0; code < this.#count; code++) starts[code + 1]! += starts[code]!;
    const next = starts.slice();
    const sorted = new Uint32Array(this.#pairs);
    for (let pair = 0; pair < this.#pairs; pair++) sorted[next[this.#codes[pair]!]!++] = this.#rows[pair]!;
    for (const code of order) {
      const rows = sorted.subarray(starts[code]!, starts[code + 1]!);
      yield { bytes, from: this.#from[code]!, to: this.#end(code), rows: withoutRepeats(rows) };
    }
  }

  #end(code: number): number {
    return code + 1 < this.#count ? this.#from[code + 1]! : this.#bytes.length;
  }

  #codeOf(bytes: Uint8Array, from: number, to: number): number {
    const hash = hashBytes(bytes, from, to);
    const mask = this.#table.length - 1;
    for (let slot = hash & mask;; slot = slot + 1 & mask) {
      const code = this.#table[slot]!;
      if (code === NONE) return this.#insert(slot, hash, bytes, from, to);
      if (this.#hashes[code] === hash && this.#isSame(code, bytes, from, to)) return code;
    }
  }

  #isSame(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#from[code]!;
    if (this.#end(code) - start !== to - from) return false;
    const known = this.#bytes.bytes;
    for (let at = from; at < to; at++) if (known[start + at - from] !== bytes[at]) return false;
    return true;
  }

  #insert(slot: number, hash: number, bytes: Uint8Array, from: number, to: number): number {
    const code = this.#count++;
    if (code === this.#from.length) {
      this.#from = doubled(this.#from);
      this.#hashes = doubled(this.#hashes);
    }
    this.#from[code] = this.#bytes.length;
    this.#hashes[code] = hash;
    this.#bytes.raw(bytes, from, to);
    this.#table[slot] = code;
    if (this.#count * 2 > this.#table.length) this.#rehash();
    return code;
  }

  #rehash(): void {
    const table = this.#table = new Uint32Array(this.#table.length * 4).fill(NONE);
    const mask = table.length - 1;
    for (let code = 0; code < this.#count; code++) {
      let slot = this.#hashes[code]! & mask;
      while (table[slot] !== NONE) slot = slot + 1 & mask;
      table[slot] = code;
    }
  }
}

function doubled(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(list.length * 2);
  grown.set(list);
  return grown;
}

/** A row may have a value twice, such as a tag. */
function withoutRepeats(rows: Uint32Array): Uint32Array {
  for (let index = 1; index < rows.length; index++) {
    if (rows[index] === rows[index - 1]) return rows.filter((row, at) => row !== rows[at - 1]);
  }
  return rows;
}
