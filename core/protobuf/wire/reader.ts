/**
 * The error for bytes that are not a valid protobuf message, or whose content is not accepted.
 *
 * @example
 * ```ts
 * import { WireError } from "edgehelm/wire";
 *
 * if (port > 65535n) throw new WireError(`must be a port, got ${port}`).under("port");
 * ```
 */
export class WireError extends Error {
  override readonly name = "WireError";
  /** The path of the invalid field, such as `rows[3].name`. It grows while the error propagates. */
  path = "";

  /** Prefixes the path with the field or item that holds the message, and returns this error. */
  under(holder: string): this {
    const separator = this.path === "" || this.path.startsWith("[") ? "" : ".";
    this.path = holder + separator + this.path;
    return this;
  }
}

/** The wire types of the protobuf encoding. */
export const WireType: Readonly<Record<"varint" | "bit64" | "bytes" | "startGroup" | "endGroup" | "bit32", number>> = {
  varint: 0,
  bit64: 1,
  bytes: 2,
  startGroup: 3,
  endGroup: 4,
  bit32: 5,
} as const;

/** The maximum nesting depth of groups. */
const MAX_DEPTH = 100;

/**
 * Iterates over the fields of one encoded message, which may be a part of `bytes`, without copying them. After each
 * `next`, call exactly one of `int64`, `span` and `skip`.
 *
 * @example
 * ```ts
 * import { WireReader, WireType } from "edgehelm/wire";
 *
 * let id = 0n;
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
  /** The offset of the next byte to read. */
  position: number;
  /** The number of the current field. */
  field = 0;
  /** The wire type of the current field. */
  wireType = 0;
  /** The offset of the tag of the current field. */
  start = 0;
  /** The offset of the value of the current field, after `span`. */
  from = 0;
  /** The offset after the value of the current field, after `span`. */
  to = 0;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.bytes = bytes;
    this.position = from;
    this.#end = to;
  }

  /**
   * Advances to the next field. Returns false at the end of the message.
   *
   * @throws WireError
   */
  next(): boolean {
    if (this.position >= this.#end) return false;
    this.start = this.position;
    const tag = this.#varint();
    // a tag has at most 32 bits
    if (tag > 0xffffffff) throw new WireError("a field number is invalid");
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0 || this.wireType > WireType.bit32) {
      throw new WireError("a field number or wire type is invalid");
    }
    return true;
  }

  /**
   * Reads the value of a varint field as a signed 64-bit integer.
   *
   * @throws WireError
   */
  int64(): bigint {
    const before = this.position;
    const small = this.#varint();
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

  /**
   * Sets `from` and `to` to the value of a field of the type `bytes`, and skips the value.
   *
   * @throws WireError
   */
  span(): void {
    const length = this.#varint();
    if (length > this.#end - this.position) throw new WireError("a field is longer than the message");
    this.from = this.position;
    this.to = this.position += length;
  }

  /**
   * Skips the value, whatever its type.
   *
   * @throws WireError
   */
  skip(depth = MAX_DEPTH): void {
    switch (this.wireType) {
      case WireType.varint:
        return void this.#varint();
      case WireType.bit64:
        return this.#advance(8);
      case WireType.bytes:
        return this.span();
      case WireType.bit32:
        return this.#advance(4);
      case WireType.startGroup:
        return this.#skipGroup(depth);
      default:
        throw new WireError("an end-group tag without a matching start-group tag");
    }
  }

  #skipGroup(depth: number): void {
    if (depth <= 0) throw new WireError("groups are nested too deep");
    const { field, start } = this;
    for (;;) {
      if (!this.next()) throw new WireError("a group without an end-group tag");
      if (this.wireType === WireType.endGroup) break;
      this.skip(depth - 1);
    }
    if (this.field !== field) throw new WireError("an end-group tag without a matching start-group tag");
    this.start = start;
  }

  #advance(count: number): void {
    if (count > this.#end - this.position) throw new WireError("a field is longer than the message");
    this.position += count;
  }

  #byte(): number {
    if (this.position >= this.#end) throw new WireError("a truncated number");
    return this.bytes[this.position++]!;
  }

  /** Reads a varint. Values up to 2^53 are exact; greater ones are rounded but stay above 2^53 - 1. */
  #varint(): number {
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
