import type { FoundLogs, LogEntry, LogFilter, LogPage, SearchRange } from "../../http_access_log/contract.ts";
import { Cursor } from "./cursor.ts";
import { Matcher } from "./match.ts";
import type { SearchBudget } from "./search_budget.ts";
import { planOf } from "./plan.ts";
import type { Segment, SegmentInfo } from "./segment.ts";

/** An opened segment with the position of the search in it. */
interface Source {
  readonly info: SegmentInfo;
  readonly cursor: Cursor;
}

export interface SegmentSearch {
  readonly infos: readonly SegmentInfo[];
  readonly filter: LogFilter;
  readonly page: LogPage;
  readonly budget: SearchBudget;
  open(info: SegmentInfo): Segment;
  /** Reports an error of a segment, which the search then skips. */
  report(info: SegmentInfo, error: unknown): void;
}

/**
 * Merges the logs of a page from many segments in order. It always advances the segment that can have the next log, and
 * opens a segment only when its range is reached.
 */
export async function searchSegments(search: SegmentSearch): Promise<FoundLogs> {
  const { filter, page: { cursor, oldestFirst, size, withBodies }, budget } = search;
  const range: SearchRange = { from: filter.from, to: filter.to, cursor, oldestFirst };
  const plan = planOf(filter);
  const matcher = new Matcher(filter);
  const closed = unopened(search, range);
  let sources: Source[] = [];
  const entries: LogEntry[] = [];
  const isNearer = (one: string, other: string) => oldestFirst ? one < other : one > other;
  const start = cursor !== "" ? cursor : oldestFirst ? filter.from : filter.to;
  const boundOf = (info: SegmentInfo) => {
    const bound = nearestId(info, oldestFirst);
    return isNearer(bound, start) ? start : bound;
  };
  const keyOf = ({ info, cursor }: Source) => cursor.match?.requestId ?? cursor.bound ?? boundOf(info);
  let lastKey = start;

  while (entries.length < size) {
    const nearest = sources.reduce<Source | undefined>(
      (best, one) => best === undefined || isNearer(keyOf(one), keyOf(best)) ? one : best,
      undefined,
    );
    const next = closed.at(-1);
    const nextKey = next && boundOf(next);
    const isClosedNext = nextKey !== undefined && (nearest === undefined || !isNearer(keyOf(nearest), nextKey));
    if (!isClosedNext && nearest === undefined) break;
    const key = isClosedNext ? nextKey : keyOf(nearest!);
    if (budget.isExhausted && lastKey !== start && lastKey !== key) return { entries, stoppedAt: lastKey };
    lastKey = key;
    const info = isClosedNext ? next! : nearest!.info;
    try {
      if (isClosedNext) {
        closed.pop();
        const opened = { info, cursor: new Cursor(search.open(info), plan, range) };
        budget.spend(1);
        if (!opened.cursor.isDone) sources.push(opened);
      } else {
        const { cursor } = nearest!;
        const { match } = cursor;
        if (match === undefined) budget.spend(cursor.step(withBodies));
        else {
          cursor.match = undefined;
          if (matcher.matches(match)) entries.push(match);
        }
        if (cursor.isDone) sources = sources.filter((source) => source !== nearest);
      }
    } catch (error) {
      sources = sources.filter((source) => source.info !== info);
      search.report(info, error);
    }
    await budget.yieldIfDue();
  }
  return { entries };
}

export interface CurrentSearch extends Omit<SegmentSearch, "infos"> {
  /** Returns the current segments. */
  current(): readonly SegmentInfo[];
  isCurrent(info: SegmentInfo): boolean;
}

/** The maximum number of attempts of a search. */
const MAX_ATTEMPTS = 10;

/**
 * Searches the current segments. If segments that the search has not opened yet are merged or dropped meanwhile, it
 * restarts, since their rows would be missing from the result.
 */
export async function searchCurrent(search: CurrentSearch): Promise<FoundLogs> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    let isStale = false;
    const report = (info: SegmentInfo, error: unknown) => {
      if (search.isCurrent(info)) search.report(info, error);
      else isStale = true;
    };
    const found = await searchSegments({ ...search, infos: search.current(), report });
    if (!isStale) return found;
  }
  throw new Error("segments changed too often during the search; retry");
}

/** Returns the segments that overlap the range, the nearest last. */
function unopened({ infos, filter }: SegmentSearch, { from, to, cursor, oldestFirst }: SearchRange): SegmentInfo[] {
  const low = cursor !== "" && oldestFirst && cursor > from ? cursor : from;
  const high = cursor !== "" && !oldestFirst && cursor < to ? cursor : to;
  const overlapping = infos.filter(({ firstId, lastId, partition }) =>
    firstId <= high && lastId >= low && (filter.partition === undefined || BigInt(partition) === filter.partition)
  );
  return overlapping.sort((one, other) => {
    const [first, second] = [nearestId(one, oldestFirst), nearestId(other, oldestFirst)];
    return first === second ? 0 : (first < second) === oldestFirst ? 1 : -1;
  });
}

function nearestId({ firstId, lastId }: SegmentInfo, oldestFirst: boolean): string {
  return oldestFirst ? firstId : lastId;
}
