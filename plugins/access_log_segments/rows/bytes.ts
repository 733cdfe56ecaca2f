/** A growing buffer. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Little-endian. */
  uint32(value: number): void {
    this.#reserve(4);
    for (let shift = 0; shift < 32; shift += 8) this.bytes[this.length++] = value >>> shift;
  }

  /** Writes up to 32 bits. */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = rest & 0x7f | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  raw(source: Uint8Array, from = 0, to = source.length): void {
    this.#reserve(to - from);
    if (to - from > 48) this.bytes.set(source.subarray(from, to), this.length);
    else for (let at = from; at < to; at++) this.bytes[this.length + at - from] = source[at]!;
    this.length += to - from;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** Reads what a ByteWriter wrote. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  uint32(): number {
    const { bytes, at } = this;
    this.at += 4;
    return (bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24) >>> 0;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      const byte = this.bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  raw(length: number): Uint8Array {
    return this.bytes.subarray(this.at, this.at += length);
  }
}

type NumberList = Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Returns a copy of a list with twice its length. */
export function grown<List extends NumberList>(list: List, Type: new (length: number) => List): List {
  const copy = new Type(list.length * 2);
  copy.set(list);
  return copy;
}

/** Returns the first of the ascending numbers from 0 to before `end` that is not below a position, or `end`. */
export function firstNotBelow(end: number, isBelow: (index: number) => boolean): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = low + high >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares two byte ranges lexicographically. */
export function compareBytes(
  one: Uint8Array,
  oneFrom: number,
  oneTo: number,
  other: Uint8Array,
  otherFrom: number,
  otherTo: number,
): number {
  const shorter = Math.min(oneTo - oneFrom, otherTo - otherFrom);
  for (let at = 0; at < shorter; at++) {
    const difference = one[oneFrom + at]! - other[otherFrom + at]!;
    if (difference !== 0) return difference;
  }
  return oneTo - oneFrom - (otherTo - otherFrom);
}

/** Random per thread, so that senders of logs cannot choose texts with colliding hashes. */
const RANDOM = crypto.getRandomValues(new Int32Array(3));
const SEED = RANDOM[0]!;
// odd, so that the multiplication is reversible
const [FIRST, SECOND] = [RANDOM[1]! | 1, RANDOM[2]! | 1];

/**
 * Hashes a byte range four bytes at a time, similar to MurmurHash3. The result differs between threads, so it must not
 * be stored in files.
 */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = SEED ^ to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    hash = mix(hash, bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24);
  }
  let rest = 0;
  for (; at < to; at++) rest = rest << 8 | bytes[at]!;
  hash = mix(hash, rest);
  hash = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  hash = Math.imul(hash ^ hash >>> 13, 0xc2b2ae35);
  return (hash ^ hash >>> 16) >>> 0;
}

function mix(hash: number, word: number): number {
  const product = Math.imul(word, FIRST);
  const mixed = hash ^ Math.imul(product << 15 | product >>> 17, SECOND);
  return Math.imul(mixed << 13 | mixed >>> 19, 5) + 0xe6546b64 | 0;
}

/** Hashes a 64-bit number, given as halves, to 32 bits. */
export function hashHalves(low: number, high: number): number {
  return (low ^ Math.imul(high, 0x9e3779b1)) >>> 0;
}
