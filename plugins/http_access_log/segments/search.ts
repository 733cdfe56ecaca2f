import type { FoundLogs, LogEntry, LogFilter, LogPage } from "../log_store.ts";
import { Cursor, type Stretch } from "./cursor.ts";
import { Matcher } from "./match.ts";
import type { Pace } from "./pace.ts";
import { planOf } from "./plan.ts";
import type { Segment, SegmentInfo } from "./segment.ts";

/** A segment that was opened, and where in it the search is. */
interface Source {
  readonly info: SegmentInfo;
  readonly cursor: Cursor;
}

export interface SegmentSearch {
  readonly infos: readonly SegmentInfo[];
  readonly filter: LogFilter;
  readonly page: LogPage;
  readonly pace: Pace;
  open(info: SegmentInfo): Segment;
  /** Takes a fault of a segment, which is then left out. */
  report(info: SegmentInfo, fault: unknown): void;
}

/**
 * The logs of a page out of many segments, in order: the segment that can have the next one is searched until it has
 * one, or another can have a nearer one. A segment is opened when it is its turn.
 */
export async function searchSegments(search: SegmentSearch): Promise<FoundLogs> {
  const { filter, page: { cursor, oldestFirst, size, withBodies }, pace } = search;
  const stretch: Stretch = { from: filter.from, to: filter.to, cursor, oldestFirst };
  const plan = planOf(filter);
  const matcher = new Matcher(filter);
  const closed = unopened(search, stretch);
  let sources: Source[] = [];
  const entries: LogEntry[] = [];
  const isNearer = (one: string, other: string) => oldestFirst ? one < other : one > other;
  const start = cursor !== "" ? cursor : oldestFirst ? filter.from : filter.to;
  const edgeOf = (info: SegmentInfo) => {
    const edge = nearestId(info, oldestFirst);
    return isNearer(edge, start) ? start : edge;
  };
  const keyOf = ({ info, cursor }: Source) => cursor.match?.requestId ?? cursor.bound ?? edgeOf(info);
  let lastKey = start;

  while (entries.length < size) {
    const nearest = sources.reduce<Source | undefined>(
      (best, one) => best === undefined || isNearer(keyOf(one), keyOf(best)) ? one : best,
      undefined,
    );
    const next = closed.at(-1);
    const nextKey = next && edgeOf(next);
    const isClosedNext = nextKey !== undefined && (nearest === undefined || !isNearer(keyOf(nearest), nextKey));
    if (!isClosedNext && nearest === undefined) break;
    const key = isClosedNext ? nextKey : keyOf(nearest!);
    if (pace.isOver && lastKey !== start && lastKey !== key) return { entries, stoppedAt: lastKey };
    lastKey = key;
    const info = isClosedNext ? next! : nearest!.info;
    try {
      if (isClosedNext) {
        closed.pop();
        const opened = { info, cursor: new Cursor(search.open(info), plan, stretch) };
        pace.spend(1);
        if (!opened.cursor.isDone) sources.push(opened);
      } else {
        const { cursor } = nearest!;
        const { match } = cursor;
        if (match === undefined) pace.spend(cursor.step(withBodies));
        else {
          cursor.match = undefined;
          if (matcher.matches(match)) entries.push(match);
        }
        if (cursor.isDone) sources = sources.filter((source) => source !== nearest);
      }
    } catch (fault) {
      sources = sources.filter((source) => source.info !== info);
      search.report(info, fault);
    }
    await pace.rest();
  }
  return { entries };
}

export interface CurrentSearch extends Omit<SegmentSearch, "infos"> {
  /** The segments that there are now. */
  current(): readonly SegmentInfo[];
  isCurrent(info: SegmentInfo): boolean;
}

/** More often a search is not begun anew. */
const MAX_TRIES = 10;

/**
 * The same over the segments that there are. While a search waits for its turn, segments that it did not open yet can
 * be merged into others, or dropped with their day: then it begins anew, or their rows would be missing.
 */
export async function searchCurrent(search: CurrentSearch): Promise<FoundLogs> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let isStale = false;
    const report = (info: SegmentInfo, fault: unknown) => {
      if (search.isCurrent(info)) search.report(info, fault);
      else isStale = true;
    };
    const found = await searchSegments({ ...search, infos: search.current(), report });
    if (!isStale) return found;
  }
  throw new Error("the segments change faster than they are searched; try again");
}

/** The segments that the stretch touches, the nearest last. */
function unopened({ infos, filter }: SegmentSearch, { from, to, cursor, oldestFirst }: Stretch): SegmentInfo[] {
  const low = cursor !== "" && oldestFirst && cursor > from ? cursor : from;
  const high = cursor !== "" && !oldestFirst && cursor < to ? cursor : to;
  const touched = infos.filter(({ firstId, lastId, partition }) =>
    firstId <= high && lastId >= low && (filter.partition === undefined || BigInt(partition) === filter.partition)
  );
  return touched.sort((one, other) => {
    const [first, second] = [nearestId(one, oldestFirst), nearestId(other, oldestFirst)];
    return first === second ? 0 : (first < second) === oldestFirst ? 1 : -1;
  });
}

function nearestId({ firstId, lastId }: SegmentInfo, oldestFirst: boolean): string {
  return oldestFirst ? firstId : lastId;
}
