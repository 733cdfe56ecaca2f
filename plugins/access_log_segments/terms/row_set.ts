import { type ByteReader, ByteWriter } from "../rows/bytes.ts";

/** A set of rows of a segment: ascending numbers, or a bit for each row of the segment. */
export type RowSet =
  | { readonly kind: "list"; readonly rows: Uint32Array }
  | { readonly kind: "bits"; readonly words: Uint32Array };

export const NO_ROWS: RowSet = { kind: "list", rows: new Uint32Array(0) };

export function wordsFor(rows: number): number {
  return rows + 31 >>> 5;
}

/** Writes a set as gaps or as bits, whichever is shorter; returns true if as bits. */
export function encodeRows(out: ByteWriter, rows: Uint32Array, total: number): boolean {
  const words = wordsFor(total);
  const start = out.length;
  let before = -1;
  for (const row of rows) {
    out.varint(row - before - 1);
    before = row;
    if (out.length - start > words * 4) break;
  }
  if (out.length - start <= words * 4) return false;
  out.length = start;
  const bits = new Uint32Array(words);
  for (const row of rows) bits[row >>> 5]! |= 1 << (row & 31);
  out.raw(new Uint8Array(bits.buffer));
  return true;
}

export function decodeRows(reader: ByteReader, count: number, isBits: boolean, total: number): RowSet {
  if (isBits) {
    const words = new Uint32Array(wordsFor(total));
    new Uint8Array(words.buffer).set(reader.raw(words.byteLength));
    return { kind: "bits", words };
  }
  const rows = new Uint32Array(count);
  let before = -1;
  for (let index = 0; index < count; index++) rows[index] = before = before + 1 + reader.varint();
  return { kind: "list", rows };
}

export function intersection(one: RowSet, other: RowSet): RowSet {
  if (one.kind === "bits" && other.kind === "bits") {
    return { kind: "bits", words: one.words.map((word, index) => word & other.words[index]!) };
  }
  if (one.kind === "bits") return intersection(other, one);
  if (other.kind === "bits") {
    const { words } = other;
    return { kind: "list", rows: one.rows.filter((row) => (words[row >>> 5]! >>> (row & 31) & 1) === 1) };
  }
  if (one.rows.length > other.rows.length) return intersection(other, one);
  const found = new Uint32Array(one.rows.length);
  let count = 0;
  let at = 0;
  for (const row of one.rows) {
    at = firstAtLeast(other.rows, row, at);
    if (other.rows[at] === row) found[count++] = row;
  }
  return { kind: "list", rows: found.subarray(0, count) };
}

export function union(sets: readonly RowSet[], total: number): RowSet {
  const filled = sets.filter((set) => set.kind === "bits" || set.rows.length > 0);
  if (filled.length <= 1) return filled[0] ?? NO_ROWS;
  const words = new Uint32Array(wordsFor(total));
  for (const set of filled) addTo(words, set);
  return { kind: "bits", words };
}

function addTo(words: Uint32Array, set: RowSet): void {
  if (set.kind === "bits") { for (let index = 0; index < words.length; index++) words[index]! |= set.words[index]!; }
  else for (const row of set.rows) words[row >>> 5]! |= 1 << (row & 31);
}

export function hasRow(set: RowSet, row: number): boolean {
  if (set.kind === "bits") return (set.words[row >>> 5]! >>> (row & 31) & 1) === 1;
  return set.rows[firstAtLeast(set.rows, row)] === row;
}

export function countRows(set: RowSet): number {
  if (set.kind === "list") return set.rows.length;
  let count = 0;
  for (let word of set.words) for (; word !== 0; word &= word - 1) count++;
  return count;
}

/** Returns the first row of the set from `row` on in the given direction, or -1. An undefined set has all rows. */
export function nextRow(set: RowSet | undefined, row: number, isAscending: boolean, total: number): number {
  if (row < 0 || row >= total) return -1;
  if (set === undefined) return row;
  if (set.kind === "list") {
    const at = firstAtLeast(set.rows, row);
    if (isAscending || set.rows[at] === row) return set.rows[at] ?? -1;
    return set.rows[at - 1] ?? -1;
  }
  const step = isAscending ? 1 : -1;
  let index = row >>> 5;
  const bit = row & 31;
  let word = set.words[index]! & (isAscending ? -1 << bit : -1 >>> 31 - bit);
  while (word === 0) {
    index += step;
    if (index < 0 || index >= set.words.length) return -1;
    word = set.words[index]!;
  }
  return index * 32 + (isAscending ? 31 - Math.clz32(word & -word) : 31 - Math.clz32(word));
}

export function* eachRow(set: RowSet, total: number): Generator<number> {
  for (let row = nextRow(set, 0, true, total); row >= 0; row = nextRow(set, row + 1, true, total)) yield row;
}

/** Returns the index of the first number of an ascending list that is at least `value`. */
export function firstAtLeast(list: Uint32Array, value: number, from = 0): number {
  let low = from;
  let high = list.length;
  while (low < high) {
    const middle = low + high >>> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
