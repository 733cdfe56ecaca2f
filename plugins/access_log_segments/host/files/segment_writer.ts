import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import {
  blockRowLength,
  bodyBytes,
  bodyLength,
  idFrom,
  idText,
  idTo,
  logLength,
  type RowBuffer,
} from "../../rows/batch.ts";
import { Bloom } from "../../terms/bloom.ts";
import { ByteWriter } from "../../rows/bytes.ts";
import { Dictionary } from "../../terms/dictionary.ts";
import { PrefixListWriter } from "../../terms/prefix_list.ts";
import { RowScan, TEXTS } from "../../rows/row_scan.ts";
import { BLOCK_ROWS, CHUNK_ROWS } from "../../search/segment.ts";
import { TermPagesWriter } from "../../terms/term_pages.ts";
import { COLUMNS, type TermSink, termsOf } from "../../terms/terms.ts";
import { checksum, compress } from "./codec.ts";
import { encodeFooter, FORMAT, MAGIC, type Section, type SegmentFooter } from "./segment_format.ts";

/** The size at which a block of bodies is compressed. */
const BODIES_BYTES = 128 * 1024;
const URI = TEXTS.indexOf("requestURI");

/** A row to seal: its position, and a function for its body if that is stored elsewhere. */
export interface SourceRow {
  readonly buffer: RowBuffer;
  readonly at: number;
  /** Undefined if the body follows the row. */
  readonly body: (() => Uint8Array) | undefined;
}

export type SegmentHead = Pick<SegmentFooter, "day" | "partition" | "generation" | "replaces">;

/** Writes a segment file from rows in the order of their request ids. The caller renames it. */
export class SegmentWriter {
  readonly #fd: number;
  readonly #total: number;
  readonly #head: SegmentHead;
  readonly #scan = new RowScan();
  readonly #owner = new Uint32Array(4);
  readonly #columns = COLUMNS.map(() => new Dictionary());
  readonly #bloom: Bloom;
  readonly #block = new ByteWriter(1 << 16);
  readonly #bodies = new ByteWriter(BODIES_BYTES);
  readonly #bodyBlocks: Uint8Array[] = [];
  readonly #uris = new ByteWriter(1 << 18);
  readonly #uriLengths = new ByteWriter(1 << 13);
  readonly #uriChunks: Uint8Array[] = [];
  readonly #blockIndex = new ByteWriter();
  readonly #bodyIndex = new ByteWriter();
  readonly #bodyBlockIndex = new ByteWriter();
  readonly #uriIndex = new ByteWriter();
  readonly #blockIds = new PrefixListWriter();
  #out = new ByteWriter(1 << 20);
  #written = 0;
  #rows = 0;
  readonly #addTerm: TermSink = (column, bytes, from, to) => {
    this.#columns[column]!.add(this.#rows - 1, bytes, from, to);
  };
  #bodyRow = -1;
  #bodyCount = 0;
  #firstId = "";
  #lastId = "";

  constructor(path: string, total: number, head: SegmentHead) {
    this.#fd = openSync(path, "w");
    this.#total = total;
    this.#head = head;
    this.#bloom = Bloom.forIds(total);
    this.#out.raw(MAGIC);
  }

  add({ buffer, at, body }: SourceRow): void {
    const { bytes, view } = buffer;
    const row = this.#rows++;
    const [from, to] = [idFrom(at), idTo(buffer, at)];
    if (row % BLOCK_ROWS === 0) this.#blockIds.add(bytes, from, to);
    if (row === 0) this.#firstId = idText(buffer, at);
    if (this.#rows === this.#total) this.#lastId = idText(buffer, at);
    this.#bloom.add(bytes, from, to);
    this.#block.raw(bytes, at, at + blockRowLength(buffer, at));
    if (bodyLength(buffer, at) > 0) this.#addBody(row, body === undefined ? bodyBytes(buffer, at) : body());
    for (let half = 0; half < 4; half++) this.#owner[half] = view.getUint32(at + 8 + half * 4, true);
    this.#scan.read(bytes, to, to + logLength(buffer, at));
    termsOf(this.#scan, bytes, this.#owner, this.#addTerm);
    this.#addUri(bytes, this.#scan.from[URI]!, this.#scan.to[URI]!);
    const isLast = this.#rows === this.#total;
    if (isLast || this.#rows % BLOCK_ROWS === 0) this.#endBlock();
    if (isLast || this.#rows % CHUNK_ROWS === 0) this.#endUris();
  }

  /** Writes the remaining parts and makes the file durable. */
  finish(): void {
    if (this.#bodies.length > 0) this.#endBodies();
    const bodies = this.#position;
    for (const block of this.#bodyBlocks) this.#write(block);
    const uris = this.#position;
    for (const chunk of this.#uriChunks) this.#write(chunk);
    const index = new ByteWriter(1 << 16);
    this.#blockIds.writeTo(index);
    index.raw(this.#blockIndex.written);
    index.varint(this.#bodyCount);
    index.raw(this.#bodyIndex.written);
    index.varint(this.#bodyBlocks.length);
    index.raw(this.#bodyBlockIndex.written);
    index.varint(this.#uriChunks.length);
    index.raw(this.#uriIndex.written);
    const [pages, postings]: [number[], number[]] = [[], []];
    for (const column of this.#columns) {
      const terms = new TermPagesWriter(this.#total, checksum);
      for (const { bytes, from, to, rows } of column.values()) terms.add(bytes, from, to, rows);
      terms.writeIndex(index);
      pages.push(this.#position);
      this.#write(terms.pages.written);
      postings.push(this.#position);
      this.#write(terms.postings.written);
    }
    const footer: SegmentFooter = {
      format: FORMAT,
      ...this.#head,
      rows: this.#total,
      firstId: this.#firstId,
      lastId: this.#lastId,
      blocks: MAGIC.length,
      ...{ bodies, uris, pages, postings },
      bloom: this.#section(this.#bloom.bytes, this.#bloom.bytes.length),
      index: this.#section(compress(index.written), index.length),
    };
    this.#write(encodeFooter(footer));
    this.#flush();
    fsyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }

  get #position(): number {
    return this.#written + this.#out.length;
  }

  #addBody(row: number, body: Uint8Array): void {
    this.#bodyIndex.varint(row - this.#bodyRow - 1);
    this.#bodyIndex.varint(this.#bodyBlocks.length);
    this.#bodyIndex.varint(this.#bodies.length);
    this.#bodyIndex.varint(body.length);
    this.#bodyRow = row;
    this.#bodyCount++;
    this.#bodies.raw(body);
    if (this.#bodies.length >= BODIES_BYTES) this.#endBodies();
  }

  #addUri(bytes: Uint8Array, from: number, to: number): void {
    this.#uriLengths.varint(to - from);
    const start = this.#uris.length;
    this.#uris.raw(bytes, from, to);
    const lowered = this.#uris.bytes;
    for (let at = start; at < this.#uris.length; at++) {
      const byte = lowered[at]!;
      if (byte >= 65 && byte <= 90) lowered[at] = byte + 32;
    }
  }

  #endBlock(): void {
    const packed = compress(this.#block.written);
    this.#blockIndex.varint(packed.length);
    this.#blockIndex.varint(this.#block.length);
    this.#write(packed);
    this.#block.length = 0;
  }

  #endBodies(): void {
    const packed = compress(this.#bodies.written);
    this.#bodyBlockIndex.varint(packed.length);
    this.#bodyBlockIndex.varint(this.#bodies.length);
    this.#bodyBlocks.push(packed);
    this.#bodies.length = 0;
  }

  #endUris(): void {
    const text = this.#uris.length;
    this.#uriLengths.raw(this.#uris.written);
    const packed = compress(this.#uriLengths.written);
    this.#uriIndex.varint(packed.length);
    this.#uriIndex.varint(this.#uriLengths.length);
    this.#uriIndex.varint(text);
    this.#uriChunks.push(packed);
    this.#uris.length = 0;
    this.#uriLengths.length = 0;
  }

  #section(bytes: Uint8Array, plain: number): Section {
    const from = this.#position;
    this.#write(bytes);
    return { from, length: bytes.length, plain, checksum: checksum(bytes) };
  }

  #write(bytes: Uint8Array): void {
    this.#out.raw(bytes);
    if (this.#out.length > 1 << 20) this.#flush();
  }

  #flush(): void {
    const { written } = this.#out;
    for (let at = 0; at < written.length;) at += writeSync(this.#fd, written, at);
    this.#written += written.length;
    this.#out.length = 0;
  }
}
