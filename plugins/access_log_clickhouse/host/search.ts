import { type Call, kernelErrors } from "edgehelm";
import {
  dayOf,
  firstOf,
  type LogFilter,
  type LogPage,
  type SearchRange,
  secondsOf,
} from "../../http_access_log/contract.ts";
import { type ClickHouse, StatementTimeout } from "./client.ts";
import { conditionsOf, literal } from "./conditions.ts";
import { LOGS } from "./schema.ts";

/** The time limit of a search: absolute, and as a share of the remaining time, to leave the rest for the response. */
const MAX_SECONDS = 10;
const SHARE_OF_TIME = 0.6;
const GROWTH = 8;
const SHRINKING = 16;
/** The expected number of logs in the first window per requested log. */
const FIRST_WINDOW = 4;
const DAY = 86_400;

export interface FoundIds {
  readonly ids: readonly string[];
  readonly stoppedAt?: string | undefined;
}

/**
 * Searches for the logs of a page in growing windows of time, beginning at the start of the page. Old servers sort all
 * matches before they apply the limit, so small windows are faster. After the time limit the next page continues.
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
  let remaining: SearchRange = { from: filter.from, to: filter.to, cursor, oldestFirst };
  let width = Math.max(1, Math.ceil(size * FIRST_WINDOW * DAY / Math.max(1, rowsOfDay)));
  let stoppedAt: string | undefined;
  while (!isDone(remaining)) {
    const boundary = boundaryOf(remaining, width);
    try {
      const rows = await server.rows<[string]>(
        `select requestId from ${LOGS} where day = ${day} and ${within(remaining, boundary)} and ${tests}
          order by requestId ${oldestFirst ? "asc" : "desc"} limit 1 by requestId limit ${size - ids.length}`,
        (end - Date.now()) / 1000,
      );
      ids.push(...rows.map(([requestId]) => requestId));
      if (ids.length >= size || boundary === undefined) return { ids };
      remaining = { ...remaining, cursor: stoppedAt = boundary };
      width *= GROWTH;
    } catch (error) {
      if (!(error instanceof StatementTimeout)) throw error;
      if (stoppedAt !== undefined) return { ids, stoppedAt };
      if (width <= 1 || Date.now() >= end + MAX_SECONDS * 1000) throw kernelErrors.deadline("the search");
      width = Math.ceil(width / SHRINKING);
      continue;
    }
    if (Date.now() >= end) return { ids, stoppedAt };
  }
  return { ids };
}

function isDone({ from, to, cursor, oldestFirst }: SearchRange): boolean {
  return from > to || cursor !== "" && (oldestFirst ? cursor >= to : cursor <= from);
}

/** Returns the last id of a window of `width` seconds; undefined if the window covers the rest of the range. */
function boundaryOf({ from, to, cursor, oldestFirst }: SearchRange, width: number): string | undefined {
  if (oldestFirst) {
    const start = secondsOf(cursor > from ? cursor : from);
    // an id that sorts after all ids of the previous second
    const boundary = `${firstOf(start + width)}`;
    return boundary < to ? `${firstOf(start + width - 1)}~` : undefined;
  }
  const start = secondsOf(cursor !== "" && cursor < to ? cursor : to);
  const boundary = firstOf(start - width + 1);
  return boundary > from ? boundary : undefined;
}

/** Returns the condition on ids of a window; the next window begins after the boundary. */
function within({ from, to, cursor, oldestFirst }: SearchRange, boundary: string | undefined): string {
  const tests = [`requestId >= ${literal(from)}`, `requestId <= ${literal(to)}`];
  if (cursor !== "") tests.push(`requestId ${oldestFirst ? ">" : "<"} ${literal(cursor)}`);
  if (boundary !== undefined) tests.push(`requestId ${oldestFirst ? "<=" : ">="} ${literal(boundary)}`);
  return tests.join(" and ");
}
