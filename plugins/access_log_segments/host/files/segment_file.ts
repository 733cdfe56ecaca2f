import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { blockRowLength, type RowBuffer, rowBuffer } from "../../rows/batch.ts";
import { Bloom } from "../../terms/bloom.ts";
import { ByteReader, compareBytes } from "../../rows/bytes.ts";
import { countRows, decodeRows, firstAtLeast, NO_ROWS, type RowSet, union } from "../../terms/row_set.ts";
import type { Segment, SegmentInfo } from "../../search/segment.ts";
import { endBefore, type Term, termsOfPage } from "../../terms/term_pages.ts";
import { type Column, COLUMNS } from "../../terms/terms.ts";
import { checksum, decompress } from "./codec.ts";
import { decodeFooter, footerLength, type Section, SegmentError, type SegmentFooter } from "./segment_format.ts";
import { type CompressedParts, SegmentIndex } from "./segment_index.ts";

/** The number of bytes read from the end of the file, enough for most footers. */
const END_BYTES = 4096;
/** The number of decompressed blocks to cache for consecutive pages. */
const CACHED_BLOCKS = 8;
const decoder = new TextDecoder();

interface Block {
  readonly buffer: RowBuffer;
  readonly starts: Uint32Array;
}

/** A segment file, open for reading. Everything it reads is verified; an error names the damaged part. */
export class SegmentFile implements Segment {
  readonly info: SegmentInfo;
  removedRows: RowSet;
  readonly #path: string;
  readonly #fd: number;
  readonly #footer: SegmentFooter;
  readonly #index: SegmentIndex;
  readonly #blocks = new Map<number, Block>();
  #bloom: Bloom | undefined;
  #isClosed = false;

  constructor(directory: string, info: SegmentInfo) {
    this.info = info;
    this.#path = `${directory}/${info.name}`;
    this.#fd = openSync(this.#path, "r");
    try {
      this.#footer = readFooter(this.#fd);
      const { index } = this.#footer;
      this.#index = new SegmentIndex(decompress(this.#section(index, "index"), index.plain));
      this.removedRows = readRemoved(this.#path, info.rows);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#fd);
    this.#isClosed = true;
    this.#blocks.clear();
  }

  block(number: number): Block {
    const cached = this.#blocks.get(number);
    if (cached !== undefined) return cached;
    const buffer = rowBuffer(this.#readPart(this.#footer.blocks, this.#index.blocks, number, "block of rows"));
    const starts: number[] = [];
    for (let at = 0; at < buffer.bytes.length; at += blockRowLength(buffer, at)) starts.push(at);
    const block = { buffer, starts: Uint32Array.from(starts) };
    if (this.#blocks.size >= CACHED_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    this.#blocks.set(number, block);
    return block;
  }

  body(row: number): Uint8Array {
    const { bodyRows, bodyLocations, bodyBlocks } = this.#index;
    const index = firstAtLeast(bodyRows, row);
    if (bodyRows[index] !== row) return new Uint8Array();
    const [block, from, length] = bodyLocations.subarray(index * 3, index * 3 + 3);
    return this.#readPart(this.#footer.bodies, bodyBlocks, block!, "block of bodies").subarray(from!, from! + length!);
  }

  blocksUpTo(id: Uint8Array): number {
    return this.#index.blockIds.countUpTo(id);
  }

  firstId(block: number): string {
    return decoder.decode(this.#index.blockIds.get(block));
  }

  term(column: Column, term: Uint8Array): RowSet {
    const at = COLUMNS.indexOf(column);
    const page = this.#index.columns[at]!.firsts.countUpTo(term) - 1;
    if (page < 0) return NO_ROWS;
    for (const candidate of this.#terms(at, page)) {
      const order = compareBytes(candidate.bytes, 0, candidate.bytes.length, term, 0, term.length);
      if (order === 0) return this.#rows(at, candidate);
      if (order > 0) break;
    }
    return NO_ROWS;
  }

  range(column: Column, from: Uint8Array, to: Uint8Array): RowSet {
    const at = COLUMNS.indexOf(column);
    const { firsts } = this.#index.columns[at]!;
    const sets: RowSet[] = [];
    for (let page = Math.max(firsts.countUpTo(from) - 1, 0); page < firsts.length; page++) {
      for (const term of this.#terms(at, page)) {
        const { bytes } = term;
        if (compareBytes(bytes, 0, bytes.length, from, 0, from.length) < 0) continue;
        if (compareBytes(bytes, 0, Math.min(bytes.length, to.length), to, 0, to.length) > 0) {
          return union(sets, this.info.rows);
        }
        sets.push(this.#rows(at, term));
      }
    }
    return union(sets, this.info.rows);
  }

  terms(column: Column, matches: (term: Uint8Array) => boolean): RowSet {
    const at = COLUMNS.indexOf(column);
    const sets: RowSet[] = [];
    for (let page = 0; page < this.#index.columns[at]!.firsts.length; page++) {
      for (const term of this.#terms(at, page)) if (matches(term.bytes)) sets.push(this.#rows(at, term));
    }
    return union(sets, this.info.rows);
  }

  uris(chunk: number): { text: string; ends: Uint32Array } {
    const bytes = this.#readPart(this.#footer.uris, this.#index.uris, chunk, "chunk of URIs");
    const textFrom = bytes.length - this.#index.uriTexts[chunk]!;
    const reader = new ByteReader(bytes);
    const ends: number[] = [];
    for (let end = 0; reader.at < textFrom;) ends.push(end += reader.varint());
    const text = bytes.subarray(textFrom) as Uint8Array & { latin1Slice?: () => string };
    return { text: text.latin1Slice?.() ?? latin1(text), ends: Uint32Array.from(ends) };
  }

  mayHave(hash: number): boolean {
    this.#bloom ??= new Bloom(this.#section(this.#footer.bloom, "filter of request ids"));
    return this.#bloom.mayHave(hash);
  }

  /** Reloads the removed rows. */
  refreshRemoved(): void {
    this.removedRows = readRemoved(this.#path, this.info.rows);
  }

  *#terms(column: number, page: number): Generator<Term> {
    const { pageEnds, checksums, postingsEnds } = this.#index.columns[column]!;
    const from = endBefore(pageEnds, page);
    const bytes = this.#read(this.#footer.pages[column]! + from, pageEnds[page]! - from);
    if (checksum(bytes) !== checksums[page]) throw this.#damage(`page of terms of ${COLUMNS[column]}`);
    yield* termsOfPage(bytes, endBefore(postingsEnds, page));
  }

  #rows(column: number, { inline, from, length, count, isBits, checksum: expected }: Term): RowSet {
    const bytes = inline ?? this.#read(this.#footer.postings[column]! + from, length);
    if (inline === undefined && checksum(bytes) !== expected) throw this.#damage(`list of rows of ${COLUMNS[column]}`);
    return decodeRows(new ByteReader(bytes), count, isBits, this.info.rows);
  }

  #readPart(start: number, { ends, plain }: CompressedParts, index: number, part: string): Uint8Array {
    const from = endBefore(ends, index);
    try {
      return decompress(this.#read(start + from, ends[index]! - from), plain[index]!);
    } catch (cause) {
      throw this.#damage(part, cause);
    }
  }

  #section({ from, length, checksum: expected }: Section, part: string): Uint8Array<ArrayBuffer> {
    const bytes = this.#read(from, length);
    if (checksum(bytes) !== expected) throw this.#damage(part);
    return bytes;
  }

  #read(from: number, length: number): Uint8Array<ArrayBuffer> {
    if (this.#isClosed) throw new SegmentError("file is closed");
    return readAt(this.#fd, from, length);
  }

  #damage(part: string, cause?: unknown): SegmentError {
    return cause instanceof SegmentError ? cause : new SegmentError(`${part} is damaged`, { cause });
  }
}

/** Reads the metadata of a segment from its footer. */
export function readInfo(directory: string, name: string): { info: SegmentInfo; replaces: readonly string[] } {
  const fd = openSync(`${directory}/${name}`, "r");
  try {
    const { day, partition, generation, rows, firstId, lastId, replaces } = readFooter(fd);
    const removed = countRows(readRemoved(`${directory}/${name}`, rows));
    const { size: bytes } = fstatSync(fd);
    return { info: { name, day, partition, generation, rows, bytes, firstId, lastId, removed }, replaces };
  } finally {
    closeSync(fd);
  }
}

function readFooter(fd: number): SegmentFooter {
  const { size } = fstatSync(fd);
  const end = readAt(fd, Math.max(size - END_BYTES, 0), Math.min(size, END_BYTES));
  const length = footerLength(end);
  if (length > size) throw new SegmentError("footer is damaged");
  return decodeFooter(length <= end.length ? end.subarray(end.length - length) : readAt(fd, size - length, length));
}

function readAt(fd: number, from: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const count = readSync(fd, bytes, at, length - at, from + at);
    if (count === 0) throw new SegmentError("file is truncated");
    at += count;
  }
  return bytes;
}

/** Reads the removed rows from the file next to the segment: a bit for each row, and a checksum. */
function readRemoved(path: string, rows: number): RowSet {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(`${path}.removed`);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return NO_ROWS;
    throw error;
  }
  const words = new Uint32Array((bytes.length >> 2) - 1);
  new Uint8Array(words.buffer).set(bytes.subarray(0, words.byteLength));
  const expected = new ByteReader(bytes, words.byteLength).uint32();
  if (words.length !== rows + 31 >>> 5 || checksum(new Uint8Array(words.buffer)) !== expected) {
    throw new SegmentError("list of removed rows is damaged");
  }
  return { kind: "bits", words };
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
