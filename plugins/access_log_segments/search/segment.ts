import type { RowBuffer } from "../rows/batch.ts";
import type { RowSet } from "../terms/row_set.ts";
import type { Column } from "../terms/terms.ts";

/** The number of rows that are compressed together. */
export const BLOCK_ROWS = 96;
/** The number of rows whose URIs are compressed together. */
export const CHUNK_ROWS = 42 * BLOCK_ROWS;

/** The metadata of a segment, available without opening it. */
export interface SegmentInfo {
  /** The path within the directory: `day/partition-generation-count.seg`. */
  readonly name: string;
  readonly day: number;
  readonly partition: number;
  /** The latest journal generation of its rows. */
  readonly generation: number;
  readonly rows: number;
  readonly bytes: number;
  readonly firstId: string;
  readonly lastId: string;
  /** The number of removed rows. */
  readonly removed: number;
}

/** A sealed segment, open for reading. Rows are numbered from 0 in the order of their request ids. */
export interface Segment {
  readonly info: SegmentInfo;
  /** The removed rows. */
  readonly removedRows: RowSet;
  /** Returns a block and the position of each of its rows. */
  block(number: number): { readonly buffer: RowBuffer; readonly starts: Uint32Array };
  body(row: number): Uint8Array;
  /** Returns the number of blocks whose first id is less than or equal to the id. */
  blocksUpTo(id: Uint8Array): number;
  /** Returns the first id of a block. */
  firstId(block: number): string;
  term(column: Column, term: Uint8Array): RowSet;
  range(column: Column, from: Uint8Array, to: Uint8Array): RowSet;
  terms(column: Column, matches: (term: Uint8Array) => boolean): RowSet;
  /** Returns the lower-case URIs of a chunk, concatenated with one character per byte, and the end of each. */
  uris(chunk: number): { readonly text: string; readonly ends: Uint32Array };
  /** Returns false if no request id of the segment has the hash, which is the result of `hashId`. */
  mayHave(hash: number): boolean;
}
