import { ByteReader, ByteWriter } from "../rows/bytes.ts";
import { PrefixList, PrefixListWriter, writeDifference } from "./prefix_list.ts";
import { encodeRows } from "./row_set.ts";

const PAGE_TERMS = 64;
/** The maximum size of the rows of a term that are stored in the page itself. */
const MAX_INLINE_BYTES = 16;

/** Computes a 32-bit checksum. */
export type Checksum = (bytes: Uint8Array) => number;

/** Writes the terms of a column to pages, and their rows to postings. */
export class TermPagesWriter {
  readonly pages = new ByteWriter(1 << 16);
  readonly postings = new ByteWriter(1 << 16);
  readonly #firsts = new PrefixListWriter();
  readonly #lengths = new ByteWriter();
  readonly #rows: number;
  readonly #checksum: Checksum;
  readonly #encoded = new ByteWriter();
  #last = new Uint8Array(0);
  #inPage = 0;
  #pageFrom = 0;
  #postingsFrom = 0;

  constructor(rows: number, checksum: Checksum) {
    this.#rows = rows;
    this.#checksum = checksum;
  }

  /** Adds a term; terms must be added in ascending order. */
  add(bytes: Uint8Array, from: number, to: number, rows: Uint32Array): void {
    if (this.#inPage === PAGE_TERMS) this.#endPage();
    if (this.#inPage++ === 0) this.#firsts.add(bytes, from, to);
    writeDifference(this.pages, this.#last, this.#last.length, bytes, from, to);
    this.#last = bytes.subarray(from, to) as Uint8Array<ArrayBuffer>;
    this.#encoded.length = 0;
    const isBits = encodeRows(this.#encoded, rows, this.#rows);
    const { written } = this.#encoded;
    const isInline = written.length <= MAX_INLINE_BYTES;
    this.pages.varint(rows.length);
    this.pages.varint(written.length * 4 + (isBits ? 2 : 0) + (isInline ? 1 : 0));
    if (isInline) this.pages.raw(written);
    else {
      this.pages.uint32(this.#checksum(written));
      this.postings.raw(written);
    }
  }

  /** Writes the index of the pages, which `TermIndex` reads. */
  writeIndex(out: ByteWriter): void {
    if (this.#inPage > 0) this.#endPage();
    this.#firsts.writeTo(out);
    out.raw(this.#lengths.written);
  }

  #endPage(): void {
    const page = this.pages.bytes.subarray(this.#pageFrom, this.pages.length);
    this.#lengths.varint(page.length);
    this.#lengths.uint32(this.#checksum(page));
    this.#lengths.varint(this.postings.length - this.#postingsFrom);
    this.#pageFrom = this.pages.length;
    this.#postingsFrom = this.postings.length;
    this.#inPage = 0;
    this.#last = new Uint8Array(0);
  }
}

/** The positions of the pages of a column, relative to the start of its pages and of its postings. */
export class TermIndex {
  readonly firsts: PrefixList;
  readonly pageEnds: Uint32Array;
  readonly checksums: Uint32Array;
  readonly postingsEnds: Uint32Array;

  constructor(reader: ByteReader) {
    this.firsts = new PrefixList(reader);
    const { length } = this.firsts;
    this.pageEnds = new Uint32Array(length);
    this.checksums = new Uint32Array(length);
    this.postingsEnds = new Uint32Array(length);
    for (let page = 0; page < length; page++) {
      this.pageEnds[page] = endBefore(this.pageEnds, page) + reader.varint();
      this.checksums[page] = reader.uint32();
      this.postingsEnds[page] = endBefore(this.postingsEnds, page) + reader.varint();
    }
  }
}

export function endBefore(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : ends[index - 1]!;
}

/** A term of a page, and the location of its rows. */
export interface Term {
  /** Overwritten by the next term. */
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly isBits: boolean;
  /** The encoded rows, or undefined if they are in the postings. */
  readonly inline: Uint8Array | undefined;
  readonly checksum: number;
  readonly from: number;
  readonly length: number;
}

/** Yields the terms of a page whose postings begin at `postingsFrom`. */
export function* termsOfPage(page: Uint8Array, postingsFrom: number): Generator<Term> {
  const reader = new ByteReader(page);
  const last = new ByteWriter(256);
  let from = postingsFrom;
  while (reader.at < page.length) {
    last.length = reader.varint();
    last.raw(reader.raw(reader.varint()));
    const count = reader.varint();
    const flags = reader.varint();
    const length = flags >>> 2;
    const isInline = (flags & 1) === 1;
    const checksum = isInline ? 0 : reader.uint32();
    const inline = isInline ? reader.raw(length) : undefined;
    yield { bytes: last.written, count, isBits: (flags & 2) === 2, inline, checksum, from, length };
    if (!isInline) from += length;
  }
}
