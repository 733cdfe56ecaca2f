import type { Piece } from "./batch.ts";
import type { RowSet } from "./row_set.ts";
import type { Column } from "./terms.ts";

/** Rows in a block, whose bytes are compressed together. */
export const BLOCK_ROWS = 96;
/** Rows whose URIs are compressed together. */
export const CHUNK_ROWS = 42 * BLOCK_ROWS;

export type SegmentKey = string;

/** What is known of a segment without opening it. */
export interface SegmentInfo {
  /** The path within the directory: day/partition-generation-count.seg */
  readonly name: SegmentKey;
  readonly day: number;
  readonly partition: number;
  /** The latest generation of the journal whose rows it holds. */
  readonly generation: number;
  readonly rows: number;
  readonly bytes: number;
  readonly firstId: string;
  readonly lastId: string;
  /** Rows that were removed. */
  readonly removed: number;
}

/** A sealed segment, open to be read: rows are numbered from 0 in the order of their request ids. */
export interface Segment {
  readonly info: SegmentInfo;
  /** Removed rows. */
  readonly removedRows: RowSet;
  /** The block with a row, and where in it the row begins. */
  block(number: number): { readonly piece: Piece; readonly starts: Uint32Array };
  body(row: number): Uint8Array;
  /** The number of blocks whose first id is not above the id. */
  blocksUpTo(id: Uint8Array): number;
  /** The first id of a block. */
  firstId(block: number): string;
  term(column: Column, term: Uint8Array): RowSet;
  range(column: Column, from: Uint8Array, to: Uint8Array): RowSet;
  terms(column: Column, matches: (term: Uint8Array) => boolean): RowSet;
  /** The URIs of a chunk in lower case, one behind the other as characters of one byte, and where each ends. */
  uris(chunk: number): { readonly text: string; readonly ends: Uint32Array };
  /** Whether it can have the request id with a hash of `hashId`. */
  mayHave(hash: number): boolean;
}
