import type { LogEntry } from "../log_store.ts";
import { entryAt } from "./batch.ts";
import { type Plan, readsUris } from "./plan.ts";
import { hasRow, nextRow, type RowSet } from "./row_set.ts";
import { BLOCK_ROWS, CHUNK_ROWS, type Segment } from "./segment.ts";
import { type ChunkTest, chunkTest, rowAtLeast, rowsOf } from "./segment_rows.ts";

/** The stretch of request ids of a search, both ends included, and its direction. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
  /** Beyond which it begins; empty for the beginning. */
  readonly cursor: string;
  readonly oldestFirst: boolean;
}

const encoder = new TextEncoder();
const NO_BODY = new Uint8Array();

/** Goes through the rows of one segment that a plan finds, a step at a time. */
export class Cursor {
  readonly #segment: Segment;
  readonly #isUp: boolean;
  /** Rows that can match; undefined stands for all. */
  readonly #rows: RowSet | undefined;
  readonly #test: ChunkTest | undefined;
  /** The first and last row of the stretch, and the one at which the search goes on. */
  readonly #low: number;
  readonly #high: number;
  #row: number;
  #chunk = -1;
  #chunkRows: RowSet | undefined;
  /** What was found and not taken yet. */
  match: LogEntry | undefined;
  /** An id up to which all was searched. */
  bound: string | undefined;

  constructor(segment: Segment, plan: Plan, { from, to, cursor, oldestFirst }: Stretch) {
    this.#segment = segment;
    this.#isUp = oldestFirst;
    const isCut = cursor !== "";
    this.#low = rowAtLeast(segment, encoder.encode(isCut && oldestFirst && cursor >= from ? `${cursor}\0` : from));
    this.#high = rowAtLeast(segment, encoder.encode(isCut && !oldestFirst && cursor <= to ? cursor : `${to}\0`)) - 1;
    this.#row = oldestFirst ? this.#low : this.#high;
    if (this.#isOver) return;
    this.#rows = rowsOf(segment, plan);
    if (readsUris(plan)) this.#test = chunkTest(segment, uriPart(plan));
    this.#settle();
  }

  get isDone(): boolean {
    return this.match === undefined && this.#isOver;
  }

  get #isOver(): boolean {
    return this.#row < this.#low || this.#row > this.#high;
  }

  /** Searches until there is a match or a chunk is through; answers how many rows that took. */
  step(withBodies: boolean): number {
    const chunk = Math.floor(this.#row / CHUNK_ROWS);
    const found = this.#test === undefined ? this.#rows : this.#foundIn(chunk, this.#test);
    const border = this.#isUp
      ? Math.min((chunk + 1) * CHUNK_ROWS - 1, this.#high)
      : Math.max(chunk * CHUNK_ROWS, this.#low);
    const start = this.#row;
    let looked = 0;
    while (!this.#isOver && (this.#isUp ? this.#row <= border : this.#row >= border)) {
      const row = this.#rowFrom(found, this.#row);
      const isInside = row >= 0 && (this.#isUp ? row <= border : row >= border);
      if (!isInside) {
        this.#row = border;
        break;
      }
      this.#row = row;
      const isWanted = this.#rows === undefined || this.#rows === found || hasRow(this.#rows, row);
      if (isWanted && !hasRow(this.#segment.removedRows, row)) {
        this.match = this.#entry(row, withBodies);
        this.bound = this.match.requestId;
        break;
      }
      this.#row += this.#isUp ? 1 : -1;
      looked++;
    }
    // also after a match, so that it is not found again
    if (this.match !== undefined || this.#row === border) this.#row += this.#isUp ? 1 : -1;
    if (this.match === undefined) this.bound = this.#searched();
    this.#settle();
    return this.#test === undefined ? 1 + looked : Math.max(Math.abs(this.#row - start), 1);
  }

  /** The first id of a block of which that row was searched, and all before it. */
  #searched(): string | undefined {
    const row = this.#isUp ? this.#row - 1 : this.#row + 1;
    const block = this.#isUp ? Math.floor(row / BLOCK_ROWS) : Math.ceil(row / BLOCK_ROWS);
    if (row < 0 || block * BLOCK_ROWS >= this.#segment.info.rows) return this.bound;
    const isOutside = block * BLOCK_ROWS < this.#low || block * BLOCK_ROWS > this.#high;
    return isOutside ? this.bound : this.#segment.firstId(block);
  }

  #foundIn(chunk: number, test: ChunkTest): RowSet | undefined {
    if (chunk !== this.#chunk) this.#chunkRows = test(chunk);
    this.#chunk = chunk;
    return this.#chunkRows;
  }

  #rowFrom(rows: RowSet | undefined, row: number): number {
    return nextRow(rows, row, this.#isUp, this.#segment.info.rows);
  }

  /** Goes to the next row that can match. */
  #settle(): void {
    if (this.#rows === undefined || this.#isOver) return;
    const next = this.#rowFrom(this.#rows, this.#row);
    this.#row = next >= 0 ? next : this.#isUp ? this.#high + 1 : this.#low - 1;
  }

  #entry(row: number, withBody: boolean): LogEntry {
    const { piece, starts } = this.#segment.block(Math.floor(row / BLOCK_ROWS));
    return entryAt(piece, starts[row % BLOCK_ROWS]!, withBody ? this.#segment.body(row) : NO_BODY);
  }
}

/** What of a plan the terms do not answer. */
function uriPart(plan: Plan): Plan {
  return plan.kind === "both" ? { kind: "both", plans: plan.plans.filter(readsUris) } : plan;
}
