/** What a byte sequence is that is no message of protobuf, or none that is taken. */
export class WireError extends Error {
  override readonly name = "WireError";
  /** Where in the message, such as `rows[3].name`; it grows while the fault passes up. */
  path = "";

  /** The same fault, seen from the field or item that holds the message. */
  under(holder: string): this {
    const separator = this.path === "" || this.path.startsWith("[") ? "" : ".";
    this.path = holder + separator + this.path;
    return this;
  }
}

/** How a field's value is encoded. */
export const WireType: Readonly<Record<"varint" | "bit64" | "bytes" | "startGroup" | "endGroup" | "bit32", number>> = {
  varint: 0,
  bit64: 1,
  bytes: 2,
  startGroup: 3,
  endGroup: 4,
  bit32: 5,
} as const;

/** Groups may contain one another this deep. */
const MAX_DEPTH = 100;

/**
 * Goes through the fields of one encoded message, which may be a part of the bytes. Nothing is copied, and nothing beyond
 * the end is read. After `next` call one of `int64`, `span` and `skip`.
 *
 * @example
 * ```ts
 * const reader = new WireReader(bytes);
 * while (reader.next()) {
 *   if (reader.field === 1 && reader.wireType === WireType.varint) id = reader.int64();
 *   else reader.skip();
 * }
 * ```
 */
export class WireReader {
  readonly bytes: Uint8Array;
  readonly #end: number;
  /** Where the next field begins. */
  position: number;
  /** Of the field at hand: its number, its type, and where its tag begins. */
  field = 0;
  wireType = 0;
  start = 0;
  /** Of a value of the type `bytes`, after `span`: where it lies. */
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.bytes = bytes;
    this.position = from;
    this.#end = to;
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.position >= this.#end) return false;
    this.start = this.position;
    const tag = this.#varint32();
    // a tag has at most 32 bits
    if (tag > 0xffffffff) throw new WireError("a field has no valid number");
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0 || this.wireType > WireType.bit32) throw new WireError("a field has no valid number or type");
    return true;
  }

  /** The value as a signed integer of 64 bits. */
  int64(): bigint {
    const before = this.position;
    const small = this.#varint32();
    if (small <= Number.MAX_SAFE_INTEGER) return BigInt(small);
    this.position = before;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new WireError("a number is too long");
  }

  /** Finds where the value lies, and goes behind it. */
  span(): void {
    const length = this.#varint32();
    if (length > this.#end - this.position) throw new WireError("a field is longer than the message");
    this.from = this.position;
    this.to = this.position += length;
  }

  /** Goes behind the value, whatever it is. */
  skip(depth = MAX_DEPTH): void {
    switch (this.wireType) {
      case WireType.varint:
        return void this.#varint32();
      case WireType.bit64:
        return this.#advance(8);
      case WireType.bytes:
        return this.span();
      case WireType.bit32:
        return this.#advance(4);
      case WireType.startGroup:
        return this.#skipGroup(depth);
      default:
        throw new WireError("a group ends that did not begin");
    }
  }

  #skipGroup(depth: number): void {
    if (depth <= 0) throw new WireError("groups contain one another too deep");
    const { field, start } = this;
    for (;;) {
      if (!this.next()) throw new WireError("a group does not end");
      if (this.wireType === WireType.endGroup) break;
      this.skip(depth - 1);
    }
    if (this.field !== field) throw new WireError("a group ends that did not begin");
    this.start = start;
  }

  #advance(count: number): void {
    if (count > this.#end - this.position) throw new WireError("a field is longer than the message");
    this.position += count;
  }

  #byte(): number {
    if (this.position >= this.#end) throw new WireError("a number does not end");
    return this.bytes[this.position++]!;
  }

  /** An unsigned number; exact up to 2^53, and above that merely larger. */
  #varint32(): number {
    let value = 0;
    let weight = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) return value;
      weight *= 128;
    }
    throw new WireError("a number is too long");
  }
}
