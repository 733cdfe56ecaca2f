import { dayOfText } from "../../rows/day.ts";
import { SearchBudget } from "../../search/search_budget.ts";
import { searchCurrent } from "../../search/search.ts";
import { rowOf } from "../../search/segment_rows.ts";
import { hasRow } from "../../terms/row_set.ts";
import { BLOCK_ROWS, type SegmentInfo } from "../../search/segment.ts";
import { entryAt } from "../../rows/batch.ts";
import { packFound } from "./found_logs.ts";
import type { FoundBatch, ListRequest, Numbered, ReaderRequest, SegmentChange } from "./messages.ts";
import { merge, seal } from "../maintenance/sealing.ts";
import { SegmentPool } from "../files/segment_pool.ts";
import { report, serve, turn } from "./worker_program.ts";

/** The number of milliseconds after which a search yields to others. */
const SLICE = 8;

let pool = new SegmentPool("");
const searches = new Map<number, SearchBudget>();

serve<ReaderRequest>((request) => {
  switch (request.kind) {
    case "open":
      pool = new SegmentPool(request.directory);
      return;
    case "change":
      return change(request.change);
    case "list":
      return list(request);
    case "find":
      return find(request.requestId);
    case "cancel": {
      const budget = searches.get(request.request);
      if (budget !== undefined) budget.isCancelled = true;
      return;
    }
    case "seal":
      return seal(request.task);
    case "merge": {
      const info = merge(request.task);
      return info === undefined ? [] : [info];
    }
  }
});

function change({ added, replaced, dropped, changed }: SegmentChange): void {
  for (const info of added) pool.set(info);
  for (const info of changed) pool.refresh(info);
  for (const name of replaced) pool.remove(name, false);
  for (const name of dropped) pool.remove(name, true);
}

async function list({ id, filter, page, limits }: Numbered<ListRequest>): Promise<FoundBatch> {
  const budget = new SearchBudget({ ...limits, slice: SLICE, turn });
  searches.set(id, budget);
  try {
    const current = () => pool.ofDay(dayOfText(filter.from));
    const isCurrent = ({ name }: SegmentInfo) => pool.has(name);
    const open = (info: SegmentInfo) => pool.open(info);
    const search = { current, isCurrent, filter, page, budget, open, report };
    return packFound(await pool.during(() => searchCurrent(search)));
  } finally {
    searches.delete(id);
  }
}

function find(requestId: string): FoundBatch {
  const id = new TextEncoder().encode(requestId);
  for (const info of pool.ofDay(dayOfText(requestId))) {
    if (requestId < info.firstId || requestId > info.lastId) continue;
    try {
      const segment = pool.open(info);
      const row = rowOf(segment, id);
      if (row < 0 || hasRow(segment.removedRows, row)) continue;
      const { buffer, starts } = segment.block(Math.floor(row / BLOCK_ROWS));
      return packFound({ entries: [entryAt(buffer, starts[row % BLOCK_ROWS]!, segment.body(row))] });
    } catch (error) {
      report(info, error);
    }
  }
  return packFound({ entries: [] });
}
