import type { LogEntry, SearchRange } from "../../http_access_log/contract.ts";
import { entryAt } from "../rows/batch.ts";
import { type Plan, readsUris } from "./plan.ts";
import { hasRow, nextRow, type RowSet } from "../terms/row_set.ts";
import { BLOCK_ROWS, CHUNK_ROWS, type Segment } from "./segment.ts";
import { type ChunkTest, chunkTest, rowAtLeast, rowsOf } from "./segment_rows.ts";

const encoder = new TextEncoder();
const NO_BODY = new Uint8Array();

/** Iterates over the rows of one segment that match a plan, one step at a time. */
export class Cursor {
  readonly #segment: Segment;
  readonly #isAscending: boolean;
  /** The rows that can match; undefined means all. */
  readonly #rows: RowSet | undefined;
  readonly #test: ChunkTest | undefined;
  /** The first and last row of the range, and the next row to examine. */
  readonly #low: number;
  readonly #high: number;
  #row: number;
  #chunk = -1;
  #chunkRows: RowSet | undefined;
  /** A match that has not been consumed yet. */
  match: LogEntry | undefined;
  /** A request id up to which all rows have been searched. */
  bound: string | undefined;

  constructor(segment: Segment, plan: Plan, { from, to, cursor, oldestFirst }: SearchRange) {
    this.#segment = segment;
    this.#isAscending = oldestFirst;
    const hasCursor = cursor !== "";
    this.#low = rowAtLeast(segment, encoder.encode(hasCursor && oldestFirst && cursor >= from ? `${cursor}\0` : from));
    this.#high = rowAtLeast(segment, encoder.encode(hasCursor && !oldestFirst && cursor <= to ? cursor : `${to}\0`)) -
      1;
    this.#row = oldestFirst ? this.#low : this.#high;
    if (this.#isPastEnd) return;
    this.#rows = rowsOf(segment, plan);
    if (readsUris(plan)) this.#test = chunkTest(segment, uriPart(plan));
    this.#skipToCandidate();
  }

  get isDone(): boolean {
    return this.match === undefined && this.#isPastEnd;
  }

  get #isPastEnd(): boolean {
    return this.#row < this.#low || this.#row > this.#high;
  }

  /** Searches until there is a match or the end of a chunk; returns the number of rows examined. */
  step(withBodies: boolean): number {
    const chunk = Math.floor(this.#row / CHUNK_ROWS);
    const rows = this.#test === undefined ? this.#rows : this.#rowsOfChunk(chunk, this.#test);
    const chunkEnd = this.#isAscending
      ? Math.min((chunk + 1) * CHUNK_ROWS - 1, this.#high)
      : Math.max(chunk * CHUNK_ROWS, this.#low);
    const start = this.#row;
    let examined = 0;
    while (!this.#isPastEnd && (this.#isAscending ? this.#row <= chunkEnd : this.#row >= chunkEnd)) {
      const row = this.#rowFrom(rows, this.#row);
      const isInside = row >= 0 && (this.#isAscending ? row <= chunkEnd : row >= chunkEnd);
      if (!isInside) {
        this.#row = chunkEnd;
        break;
      }
      this.#row = row;
      const isCandidate = this.#rows === undefined || this.#rows === rows || hasRow(this.#rows, row);
      if (isCandidate && !hasRow(this.#segment.removedRows, row)) {
        this.match = this.#entry(row, withBodies);
        this.bound = this.match.requestId;
        break;
      }
      this.#row += this.#isAscending ? 1 : -1;
      examined++;
    }
    // continue after a match, so that it is not found again
    if (this.match !== undefined || this.#row === chunkEnd) this.#row += this.#isAscending ? 1 : -1;
    if (this.match === undefined) this.bound = this.#searchedUpTo();
    this.#skipToCandidate();
    return this.#test === undefined ? 1 + examined : Math.max(Math.abs(this.#row - start), 1);
  }

  /** Returns the first id of a block up to which all rows have been searched. */
  #searchedUpTo(): string | undefined {
    const row = this.#isAscending ? this.#row - 1 : this.#row + 1;
    const block = this.#isAscending ? Math.floor(row / BLOCK_ROWS) : Math.ceil(row / BLOCK_ROWS);
    if (row < 0 || block * BLOCK_ROWS >= this.#segment.info.rows) return this.bound;
    const isOutside = block * BLOCK_ROWS < this.#low || block * BLOCK_ROWS > this.#high;
    return isOutside ? this.bound : this.#segment.firstId(block);
  }

  #rowsOfChunk(chunk: number, test: ChunkTest): RowSet | undefined {
    if (chunk !== this.#chunk) this.#chunkRows = test(chunk);
    this.#chunk = chunk;
    return this.#chunkRows;
  }

  #rowFrom(rows: RowSet | undefined, row: number): number {
    return nextRow(rows, row, this.#isAscending, this.#segment.info.rows);
  }

  /** Moves to the next row that can match. */
  #skipToCandidate(): void {
    if (this.#rows === undefined || this.#isPastEnd) return;
    const next = this.#rowFrom(this.#rows, this.#row);
    this.#row = next >= 0 ? next : this.#isAscending ? this.#high + 1 : this.#low - 1;
  }

  #entry(row: number, withBody: boolean): LogEntry {
    const { buffer, starts } = this.#segment.block(Math.floor(row / BLOCK_ROWS));
    return entryAt(buffer, starts[row % BLOCK_ROWS]!, withBody ? this.#segment.body(row) : NO_BODY);
  }
}

/** Returns the part of a plan that terms alone cannot decide. */
function uriPart(plan: Plan): Plan {
  return plan.kind === "and" ? { kind: "and", plans: plan.plans.filter(readsUris) } : plan;
}
