import { compareId } from "../rows/batch.ts";
import { firstNotBelow } from "../rows/bytes.ts";
import type { Plan } from "./plan.ts";
import { intersection, NO_ROWS, type RowSet, union } from "../terms/row_set.ts";
import { BLOCK_ROWS, CHUNK_ROWS, type Segment } from "./segment.ts";

const encoder = new TextEncoder();

/** Returns the first row whose id is at least `id`, or the number of rows. */
export function rowAtLeast(segment: Segment, id: Uint8Array): number {
  const block = segment.blocksUpTo(id) - 1;
  if (block < 0) return 0;
  const { buffer, starts } = segment.block(block);
  const index = firstNotBelow(starts.length, (index) => compareId(buffer, starts[index]!, id) < 0);
  return block * BLOCK_ROWS + index;
}

/** Returns the row with an id, removed or not, or -1. */
export function rowOf(segment: Segment, id: Uint8Array): number {
  const row = rowAtLeast(segment, id);
  if (row >= segment.info.rows) return -1;
  const { buffer, starts } = segment.block(Math.floor(row / BLOCK_ROWS));
  return compareId(buffer, starts[row % BLOCK_ROWS]!, id) === 0 ? row : -1;
}

/** Returns the rows that a plan finds by terms alone; undefined if terms do not narrow it. */
export function rowsOf(segment: Segment, plan: Plan): RowSet | undefined {
  const total = segment.info.rows;
  switch (plan.kind) {
    case "term":
      return segment.term(plan.column, plan.term);
    case "range":
      return segment.range(plan.column, plan.from, plan.to);
    case "terms":
      return segment.terms(plan.column, plan.matches);
    case "requestId": {
      const row = rowOf(segment, encoder.encode(plan.requestId));
      return row < 0 ? NO_ROWS : { kind: "list", rows: Uint32Array.of(row) };
    }
    case "and": {
      let rows: RowSet | undefined;
      for (const part of plan.plans) {
        const found = rowsOf(segment, part);
        if (found !== undefined) rows = rows === undefined ? found : intersection(rows, found);
        if (rows?.kind === "list" && rows.rows.length === 0) return NO_ROWS;
      }
      return rows;
    }
    case "or": {
      const sets = plan.plans.map((part) => rowsOf(segment, part));
      return sets.includes(undefined) ? undefined : union(sets as RowSet[], total);
    }
    case "uri":
    case "all":
      return undefined;
  }
}

/** The part of a plan that reads URIs, prepared for one segment: returns the matching rows of a chunk. */
export type ChunkTest = (chunk: number) => RowSet | undefined;

/** Prepares a test of chunks. It returns row numbers of the segment, or undefined for all rows. */
export function chunkTest(segment: Segment, plan: Plan): ChunkTest {
  const total = segment.info.rows;
  switch (plan.kind) {
    case "uri":
      return (chunk) => uriRows(segment, chunk, plan.text, plan.isWhole);
    case "and": {
      const tests = plan.plans.map((part) => chunkTest(segment, part));
      return (chunk) => {
        let rows: RowSet | undefined;
        for (const test of tests) {
          const found = test(chunk);
          if (found !== undefined) rows = rows === undefined ? found : intersection(rows, found);
        }
        return rows;
      };
    }
    case "or": {
      const tests = plan.plans.map((part) => chunkTest(segment, part));
      return (chunk) => {
        const sets = tests.map((test) => test(chunk));
        return sets.includes(undefined) ? undefined : union(sets as RowSet[], total);
      };
    }
    default: {
      const rows = rowsOf(segment, plan);
      return () => rows;
    }
  }
}

/** Returns the rows of a chunk whose URI contains a text, or equals it if `isWhole`. */
function uriRows(segment: Segment, chunk: number, text: Uint8Array, isWhole: boolean): RowSet {
  const { text: uris, ends } = segment.uris(chunk);
  const pattern = String.fromCharCode(...text);
  const rows: number[] = [];
  let row = 0;
  for (let at = uris.indexOf(pattern); at >= 0;) {
    while (ends[row]! <= at && row < ends.length - 1) row++;
    const [from, to] = [row === 0 ? 0 : ends[row - 1]!, ends[row]!];
    if (at + pattern.length <= to && (!isWhole || from === at && to === at + pattern.length)) {
      rows.push(chunk * CHUNK_ROWS + row);
      at = uris.indexOf(pattern, to);
      if (++row >= ends.length) break;
    } else at = uris.indexOf(pattern, at + 1);
  }
  return { kind: "list", rows: Uint32Array.from(rows) };
}
