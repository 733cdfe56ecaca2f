/** Bytes that grow as they are written. */
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

  /** Up to 32 bits. */
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

/** Orders two pieces as their bytes do. */
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

/** Of longer pieces only so much of the beginning and the end is hashed. */
const HASHED = 24;

/** FNV-1a of a piece. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 ^ to - from;
  const isLong = to - from > 2 * HASHED;
  const end = isLong ? from + HASHED : to;
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  if (isLong) { for (let at = to - HASHED; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193); }
  // the low bits, which tables use, would else depend on few bytes
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** A number of 64 bits, given by its halves, as few bits that tell it from others. */
export function hashHalves(low: number, high: number): number {
  return (low ^ Math.imul(high, 0x9e3779b1)) >>> 0;
}
