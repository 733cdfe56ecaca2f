/** What a byte sequence is that is no message of protobuf, or none that is taken. */
export class WireFault extends Error {
  override readonly name = "WireFault";
}

/** How a field's value is encoded. */
export const WireType = { varint: 0, bit64: 1, bytes: 2, startGroup: 3, endGroup: 4, bit32: 5 } as const;

/** Groups may contain one another this deep. */
const MAX_DEPTH = 100;

/** Goes through the fields of one encoded message. Nothing is copied, and nothing beyond the end is read. */
export class WireReader {
  readonly bytes: Uint8Array;
  /** Where the next field begins. */
  position = 0;
  /** Of the field at hand: its number, its type, and where its tag begins. */
  field = 0;
  wireType = 0;
  start = 0;
  /** Of a value of the type `bytes`, after `span`: where it lies. */
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.position >= this.bytes.length) return false;
    this.start = this.position;
    const tag = this.#varint32();
    // a tag has at most 32 bits
    if (tag > 0xffffffff) throw new WireFault("a field has no valid number");
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0 || this.wireType > WireType.bit32) throw new WireFault("a field has no valid number or type");
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
    throw new WireFault("a number is too long");
  }

  /** The value as a signed integer of 32 bits: its lower half. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.int64()));
  }

  /** Finds where the value lies, and goes behind it. */
  span(): void {
    const length = this.#varint32();
    if (length > this.bytes.length - this.position) throw new WireFault("a field is longer than the message");
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
        throw new WireFault("a group ends that did not begin");
    }
  }

  #skipGroup(depth: number): void {
    if (depth <= 0) throw new WireFault("groups contain one another too deep");
    const { field, start } = this;
    for (;;) {
      if (!this.next()) throw new WireFault("a group does not end");
      if (this.wireType === WireType.endGroup) break;
      this.skip(depth - 1);
    }
    if (this.field !== field) throw new WireFault("a group ends that did not begin");
    this.start = start;
  }

  #advance(count: number): void {
    if (count > this.bytes.length - this.position) throw new WireFault("a field is longer than the message");
    this.position += count;
  }

  #byte(): number {
    if (this.position >= this.bytes.length) throw new WireFault("a number does not end");
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
    throw new WireFault("a number is too long");
  }
}
