import { HeaderField } from "./header_field.ts";
import { decodeHuffman, latin1 } from "./huffman.ts";
import { DynamicTable, STATIC_TABLE } from "./tables.ts";

/** The maximum integer in a header block. Valid blocks need no greater one. */
const MAX_INTEGER = 2 ** 24;

/** The error for a header block that is not valid HPACK. It ends the connection, because the tables are out of sync. */
export class HpackError extends Error {
  override readonly name = "HpackError";
}

/** The decoded content of a header block. */
export interface HeaderList {
  readonly fields: readonly HeaderField[];
  /** True if the list exceeds its limit; `fields` then holds only its beginning. */
  readonly isTooLarge: boolean;
}

/** Decodes the header blocks of one connection, in order (RFC 7541). */
export class HpackDecoder {
  readonly #table: DynamicTable;
  readonly #maxTableSize: number;
  readonly #maxListSize: number;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;

  /**
   * @param maxTableSize the SETTINGS_HEADER_TABLE_SIZE that was sent to the peer
   * @param maxListSize the size of a list beyond which its fields are dropped
   */
  constructor(maxTableSize: number, maxListSize: number) {
    this.#table = new DynamicTable(maxTableSize);
    this.#maxTableSize = maxTableSize;
    this.#maxListSize = maxListSize;
  }

  /**
   * Decodes one complete block. If the list is too large, the block is still decoded to its end, to keep the table in
   * sync.
   *
   * @throws HpackError
   */
  decode(bytes: Uint8Array, start: number, end: number): HeaderList {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    const fields: HeaderField[] = [];
    let size = 0;
    while (this.#at < end) {
      const first = bytes[this.#at]!;
      if ((first & 0xe0) === 0x20) {
        if (size > 0) throw malformed("a table size update after a field");
        this.#resize(this.#integer(5));
        continue;
      }
      const field = this.#field(first);
      size += field.size;
      if (size <= this.#maxListSize) fields.push(field);
    }
    return { fields, isTooLarge: size > this.#maxListSize };
  }

  /** Decodes an indexed field, a literal with indexing, or a literal without (section 6). */
  #field(first: number): HeaderField {
    if (first >= 0x80) return this.#indexed(this.#integer(7));
    if (first >= 0x40) {
      const field = this.#literal(6);
      this.#table.add(field);
      return field;
    }
    return this.#literal(4);
  }

  #literal(prefixBits: number): HeaderField {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#string() : this.#indexed(index).name;
    return new HeaderField(name, this.#string());
  }

  #indexed(index: number): HeaderField {
    const field = index <= STATIC_TABLE.length
      ? STATIC_TABLE[index - 1]
      : this.#table.get(index - STATIC_TABLE.length - 1);
    if (field === undefined) throw malformed(`no field has the index ${index}`);
    return field;
  }

  #resize(capacity: number): void {
    if (capacity > this.#maxTableSize) {
      throw malformed(`a table of ${capacity} bytes, above the limit of ${this.#maxTableSize}`);
    }
    this.#table.resize(capacity);
  }

  /** Decodes an integer (section 5.1). */
  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0;; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (value > MAX_INTEGER || shift > 28) throw malformed("a number is too large");
      if (byte < 0x80) return value;
    }
  }

  /** Decodes a string (section 5.2). */
  #string(): string {
    const isHuffman = (this.#bytes[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    if (length > this.#end - start) throw malformed("a string exceeds the block");
    this.#at += length;
    if (!isHuffman) return latin1(this.#bytes, start, this.#at);
    const text = decodeHuffman(this.#bytes, start, this.#at);
    if (text === undefined) throw malformed("a string is not valid Huffman code");
    return text;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw malformed("the block is truncated");
    return this.#bytes[this.#at++]!;
  }
}

function malformed(message: string): HpackError {
  return new HpackError(`header block: ${message}`);
}
