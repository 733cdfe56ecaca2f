import { type ByteReader, ByteWriter, compareBytes, firstNotBelow } from "../rows/bytes.ts";

/** Writes ascending byte strings, each as its difference from the previous one. */
export class PrefixListWriter {
  readonly #out = new ByteWriter();
  #last = new Uint8Array(64);
  #lastLength = 0;
  #count = 0;

  add(bytes: Uint8Array, from: number, to: number): void {
    writeDifference(this.#out, this.#last, this.#lastLength, bytes, from, to);
    if (this.#last.length < to - from) this.#last = new Uint8Array((to - from) * 2);
    this.#last.set(bytes.subarray(from, to));
    this.#lastLength = to - from;
    this.#count++;
  }

  writeTo(out: ByteWriter): void {
    out.varint(this.#count);
    out.raw(this.#out.written);
  }
}

/** Writes a byte string as the length of the prefix shared with the last one, and the rest. */
export function writeDifference(
  out: ByteWriter,
  last: Uint8Array,
  lastLength: number,
  bytes: Uint8Array,
  from: number,
  to: number,
): void {
  const limit = Math.min(lastLength, to - from);
  let shared = 0;
  while (shared < limit && last[shared] === bytes[from + shared]) shared++;
  out.varint(shared);
  out.varint(to - from - shared);
  out.raw(bytes, from + shared, to);
}

/** A packed list of ascending byte strings. */
export class PrefixList {
  readonly #bytes: Uint8Array;
  readonly #ends: Uint32Array;

  constructor(reader: ByteReader) {
    const count = reader.varint();
    const packed = new ByteWriter(count * 24 + 64);
    this.#ends = new Uint32Array(count);
    let last = 0;
    for (let index = 0; index < count; index++) {
      const shared = reader.varint();
      const start = packed.length;
      packed.raw(packed.bytes, last, last + shared);
      packed.raw(reader.raw(reader.varint()));
      last = start;
      this.#ends[index] = packed.length;
    }
    this.#bytes = packed.written;
  }

  get length(): number {
    return this.#ends.length;
  }

  get(index: number): Uint8Array {
    return this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1]!, this.#ends[index]!);
  }

  /** Returns how many items are less than or equal to `bytes`. */
  countUpTo(bytes: Uint8Array): number {
    return firstNotBelow(this.length, (index) => {
      const from = index === 0 ? 0 : this.#ends[index - 1]!;
      return compareBytes(this.#bytes, from, this.#ends[index]!, bytes, 0, bytes.length) <= 0;
    });
  }
}
