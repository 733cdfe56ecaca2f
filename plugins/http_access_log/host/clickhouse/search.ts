import { type Call, kernelErrors } from "edgehelm";
import type { LogFilter, LogPage } from "../../log_store.ts";
import { dayOf, firstOf, secondsOf } from "../../request_id.ts";
import { type ClickHouse, TookTooLong } from "./client.ts";
import { conditionsOf, literal } from "./conditions.ts";
import { LOGS } from "./schema.ts";

/** What a search may take, and how much of the time that is left, so that its answer still arrives. */
const MAX_SECONDS = 10;
const SHARE_OF_TIME = 0.6;
const GROWTH = 8;
const SHRINKING = 16;
/** About how many logs the first window should hold, for each that is wanted. */
const FIRST_WINDOW = 4;
const DAY = 86_400;

/** Where a search is: the request ids that are left, which are within `from` and `to`, and beyond the cursor. */
interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly cursor: string;
}

export interface FoundIds {
  readonly ids: readonly string[];
  readonly stoppedAt?: string | undefined;
}

/**
 * Looks for the logs of a page in windows of time that grow, from where the page begins: old servers sort all that
 * matches before they limit it, and a window keeps that small. A bound on time leaves the rest to the next page.
 */
export async function search(
  server: ClickHouse,
  call: Call,
  filter: LogFilter,
  { cursor, oldestFirst, size }: LogPage,
  rowsOfDay: number,
): Promise<FoundIds> {
  const seconds = Math.min(MAX_SECONDS, (call.deadline - Date.now()) / 1000 * SHARE_OF_TIME);
  const end = Date.now() + seconds * 1000;
  const tests = conditionsOf(filter).join(" and ");
  const day = dayOf(filter.from);
  const ids: string[] = [];
  let left: Stretch = { from: filter.from, to: filter.to, cursor };
  let width = Math.max(1, Math.ceil(size * FIRST_WINDOW * DAY / Math.max(1, rowsOfDay)));
  let stoppedAt: string | undefined;
  while (!isOver(left, oldestFirst)) {
    const border = borderOf(left, oldestFirst, width);
    try {
      const rows = await server.rows<[string]>(
        `select requestId from ${LOGS} where day = ${day} and ${within(left, border, oldestFirst)} and ${tests}
          order by requestId ${oldestFirst ? "asc" : "desc"} limit 1 by requestId limit ${size - ids.length}`,
        (end - Date.now()) / 1000,
      );
      ids.push(...rows.map(([requestId]) => requestId));
      if (ids.length >= size || border === undefined) return { ids };
      left = { ...left, cursor: stoppedAt = border };
      width *= GROWTH;
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      if (stoppedAt !== undefined) return { ids, stoppedAt };
      if (width <= 1 || Date.now() >= end + MAX_SECONDS * 1000) throw kernelErrors.deadline("the search");
      width = Math.ceil(width / SHRINKING);
      continue;
    }
    if (Date.now() >= end) return { ids, stoppedAt };
  }
  return { ids };
}

function isOver({ from, to, cursor }: Stretch, oldestFirst: boolean): boolean {
  return from > to || cursor !== "" && (oldestFirst ? cursor >= to : cursor <= from);
}

/** The id up to which a window of so many seconds reaches; undefined when that is all that is left. */
function borderOf({ from, to, cursor }: Stretch, oldestFirst: boolean, width: number): string | undefined {
  if (oldestFirst) {
    const start = secondsOf(cursor > from ? cursor : from);
    // one that orders after all of the second before
    const border = `${firstOf(start + width)}`;
    return border < to ? `${firstOf(start + width - 1)}~` : undefined;
  }
  const start = secondsOf(cursor !== "" && cursor < to ? cursor : to);
  const border = firstOf(start - width + 1);
  return border > from ? border : undefined;
}

/** The ids of a window; the next one begins beyond its border. */
function within({ from, to, cursor }: Stretch, border: string | undefined, oldestFirst: boolean): string {
  const tests = [`requestId >= ${literal(from)}`, `requestId <= ${literal(to)}`];
  if (cursor !== "") tests.push(`requestId ${oldestFirst ? ">" : "<"} ${literal(cursor)}`);
  if (border !== undefined) tests.push(`requestId ${oldestFirst ? "<=" : ">="} ${literal(border)}`);
  return tests.join(" and ");
}
