import { HeaderField } from "./header_field.ts";
import { decodeHuffman, latin1 } from "./huffman.ts";
import { DynamicTable, STATIC_TABLE } from "./tables.ts";

/** The largest number that a header block may hold; nothing in one has a reason to be larger. */
const MAX_INTEGER = 2 ** 24;

/** A header block that is not valid HPACK. The connection cannot go on: both tables must stay in step. */
export class HpackError extends Error {
  override readonly name = "HpackError";
}

/** The decoded content of a header block. */
export interface HeaderList {
  readonly fields: readonly HeaderField[];
  /** Whether the list was larger than allowed; `fields` then holds only its beginning. */
  readonly isTooLarge: boolean;
}

/** Decodes the header blocks of one connection, in order (RFC 7541). */
export class HpackDecoder {
  readonly #table: DynamicTable;
  readonly #largestTable: number;
  readonly #largestList: number;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;

  /**
   * @param largestTable what SETTINGS_HEADER_TABLE_SIZE told the peer
   * @param largestList the size of a list beyond which its fields are not kept
   */
  constructor(largestTable: number, largestList: number) {
    this.#table = new DynamicTable(largestTable);
    this.#largestTable = largestTable;
    this.#largestList = largestList;
  }

  /**
   * Decodes one whole block. It is decoded to its end even when the list is too large: the table must stay in step.
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
        if (size > 0) throw malformed("a table size update stands behind a field");
        this.#resize(this.#integer(5));
        continue;
      }
      const field = this.#field(first);
      size += field.size;
      if (size <= this.#largestList) fields.push(field);
    }
    return { fields, isTooLarge: size > this.#largestList };
  }

  /** By the first bits: indexed, literal that is remembered, literal that is not (section 6). */
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
    if (capacity > this.#largestTable) throw malformed(`a table of ${capacity} bytes: at most ${this.#largestTable}`);
    this.#table.resize(capacity);
  }

  /** Section 5.1. */
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

  /** Section 5.2. */
  #string(): string {
    const isHuffman = (this.#bytes[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    if (length > this.#end - start) throw malformed("a string goes beyond its block");
    this.#at += length;
    if (!isHuffman) return latin1(this.#bytes, start, this.#at);
    const text = decodeHuffman(this.#bytes, start, this.#at);
    if (text === undefined) throw malformed("a string is not in the Huffman code");
    return text;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw malformed("the block ends too early");
    return this.#bytes[this.#at++]!;
  }
}

function malformed(message: string): HpackError {
  return new HpackError(`header block: ${message}`);
}
