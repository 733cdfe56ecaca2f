import { anyOf, type Call, type Db, type Page } from "edgehelm";
import { containing, memoizeByShape, type TrigramIndex, trigramQuery } from "edgehelm/storage";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { NodeLogCounts } from "./store_counts.ts";
import { type Filter, fixedThrough, readThrough, type Tables } from "./store.ts";

type Values = Filter & Page & { ranges: string; pattern: string; tagPattern: string; match: string };
/** The access path to logs: ranges of ids, an index or the ids themselves, or the search index. */
type AccessPath = "ranges" | "index" | "search";

/** The maximum page size of lists that run on the event loop. */
const MAX_ROWS_ON_EVENT_LOOP = 2000n;
/** The maximum number of id ranges of lists that run on the event loop. */
const MAX_RANGES_ON_EVENT_LOOP = 32;
/** The maximum number of logs in a scope that is searched row by row instead of through the search index. */
const MAX_LOGS_SEARCHED_BY_ROW = 2000n;

/** Lists and counts logs, newest first. */
export function nodeLogLists(db: Db<Tables>, counts: NodeLogCounts, search: TrigramIndex) {
  const statementsFor = memoizeByShape(
    (filter: Filter, path: AccessPath) => {
      return [path, String(filter.fixedState), hasDays(filter), ...Object.values(filter).map(isSet)];
    },
    (filter, path) => compile(db, search, filter, path),
  );

  function valuesOf(filter: Filter, page: Page, ranges: readonly (readonly [bigint, bigint])[] = []): Values {
    return {
      ...filter,
      ...page,
      ranges: `[${ranges.map(([from, to]) => `[${from},${to}]`).join()}]`,
      pattern: containing(filter.keyword),
      tagPattern: containing(filter.tag, "tag"),
      match: trigramQuery(filter.keyword, filter.tag) ?? "",
    };
  }

  /** Chooses the access path to a text: small scopes are searched row by row, large ones through the search index. */
  async function pathTo(call: Call, filter: Filter): Promise<AccessPath> {
    if (trigramQuery(filter.keyword, filter.tag) === undefined) return "index";
    const { nodeId, byNodes, serverId, originId } = filter;
    if (nodeId === 0n && !byNodes && serverId === 0n && originId === 0n) return "search";
    const scope = { ...filter, keyword: "", tag: "", fixedState: 0 };
    if (!await counts.covers(call, scope)) return "search";
    return await counts.total(call, scope) <= MAX_LOGS_SEARCHED_BY_ROW ? "index" : "search";
  }

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      if (await counts.covers(call, filter)) return await counts.total(call, filter);
      const { count } = statementsFor(filter, await pathTo(call, filter));
      return (await count.scan(call, valuesOf(filter, { offset: 0n, size: 0n })))[0]!.n;
    },

    async ids(call: Call, filter: Filter, page: Page): Promise<bigint[]> {
      const idsOf = (rows: readonly { id: bigint }[]) => rows.map(({ id }) => id);
      const isCovered = await counts.covers(call, filter);
      const idRanges = isCovered ? await counts.ranges(call, filter, page) : undefined;
      if (idRanges !== undefined) {
        const { ranges, offset } = idRanges;
        if (ranges.length === 0) return [];
        const { ids } = statementsFor(filter, "ranges");
        const run = ranges.length > MAX_RANGES_ON_EVENT_LOOP || page.size > MAX_ROWS_ON_EVENT_LOOP || filter.byNodes
          ? "scan"
          : "all";
        return idsOf(await ids[run](call, valuesOf(filter, { offset, size: page.size }, ranges)));
      }
      const { ids } = statementsFor(filter, await pathTo(call, filter));
      const isSmall = isCovered && await counts.total(call, filter) <= MAX_LOGS_SEARCHED_BY_ROW;
      return idsOf(await ids[isSmall ? "all" : "scan"](call, valuesOf(filter, page)));
    },
  };
}

export type NodeLogLists = ReturnType<typeof nodeLogLists>;

function hasDays({ from, to }: Filter): boolean {
  return from > 0n || to < 2n ** 53n;
}

/** Returns true if a member of a filter restricts the result. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== "" && value !== 0n && value !== 0 && value !== false;
}

function compile(db: Db<Tables>, search: TrigramIndex, filter: Filter, path: AccessPath) {
  const branches = (p: Values, isCount = false) =>
    sql.join(sources(search, filter, path, p, isCount), sql` union all `);
  return {
    ids: db.query((q: Kysely<Tables>, p: Values) =>
      q.selectFrom(
        sql<{ id: bigint }>`(select id from (${branches(p)}) order by id desc limit ${p.size} offset ${p.offset})`
          .as("found"),
      ).select("id")
    ),
    /** Counts the matching logs. With a fixed state, it counts logs with the same text once. */
    count: db.query((q: Kysely<Tables>, p: Values) =>
      q.selectFrom(sql<{ hash: string }>`(${branches(p, true)})`.as("found"))
        .select(filter.fixedState === 0 ? sql<bigint>`count(*)`.as("n") : sql<bigint>`count(distinct hash)`.as("n"))
    ),
  };
}

const UNREAD = sql`l.isRead = 0 and l.id > ${readThrough}`;

/** Returns select statements which together find all matching logs, each log once. */
function sources(
  search: TrigramIndex,
  filter: Filter,
  path: AccessPath,
  p: Values,
  isCount: boolean,
): RawBuilder<unknown>[] {
  const select = (id: RawBuilder<unknown>, from: RawBuilder<unknown>, ...more: RawBuilder<unknown>[]) => {
    const where = [...more, ...conditions(filter, p)];
    const hash = filter.fixedState === 0 ? sql`` : sql`, l.hash`;
    return sql`select ${id} as id${hash} from ${from} where ${sql.join(where, sql` and `)}`;
  };
  const fixedStates = states(filter, p, isCount);
  const branches = fixedStates.length === 0 ? [sql`true`] : fixedStates;
  if (path === "search") {
    const found = search.sources("l", p.match);
    return branches.flatMap((state) => found.map(({ id, from, where }) => select(id, from, where, state)));
  }
  if (path === "ranges") {
    const from = sql`json_each(${p.ranges}) as r cross join nodeLogs as l ${indexOf(filter)}`;
    return [select(sql`l.id`, from, sql`l.id >= r.value ->> 0`, sql`l.id < r.value ->> 1`)];
  }
  return branches.map((state, branch) =>
    select(sql`l.id`, sql`nodeLogs as l ${indexOf(filter, branch, isCount)}`, state)
  );
}

/** Returns the best index for a filter. SQLite cannot choose it, because the database has no statistics. */
function indexOf({ serverId, originId, nodeId, byNodes, isUnread, fixedState }: Filter, branch = 0, isCount = false) {
  if (serverId > 0n) return sql.raw("indexed by nodeLogs_site");
  if (originId > 0n) return sql.raw("indexed by nodeLogs_origin");
  if (nodeId > 0n || byNodes) return sql.raw(`indexed by ${isUnread ? "nodeLogs_unread" : "nodeLogs_node"}`);
  if (fixedState === 2) return sql.raw(`indexed by ${isCount ? "nodeLogs_openHash" : "nodeLogs_open"}`);
  if (fixedState === 1 && branch === 0) return sql.raw("indexed by nodeLogs_fixed");
  return sql.raw("not indexed");
}

/** Returns the conditions for a fixed state, of which each log meets at most one: by its flag or by the common mark. */
function states(filter: Filter, p: Values, isCount: boolean): RawBuilder<unknown>[] {
  const { fixedState, isUnread } = filter;
  const dated = hasDays(filter) ? sql`and +later.createdAt >= ${p.from} and +later.createdAt < ${p.to}` : sql``;
  // Selects the newest of the logs with the same text, which differ only in their times and marks.
  const newest = (...state: string[]) =>
    isCount ? sql`true` : sql.join(
      state.map((condition) =>
        sql`not exists (select 1 from nodeLogs as later where later.hash = l.hash and later.id > l.id
        and ${sql.raw(condition)} ${dated}
        ${isUnread ? sql`and later.isRead = 0 and later.id > ${readThrough}` : sql``})`
      ),
      sql` and `,
    );
  const through = "(select fixedThrough from nodeLogMarks)";
  const [flagged, belowMark] = ["later.isFixed = 1", `later.isFixed = 0 and later.id <= ${through}`];
  if (fixedState === 2) {
    return [sql`l.isFixed = 0 and l.level <> 'info' and l.id > ${fixedThrough}
      and ${newest(`later.isFixed = 0 and later.id > ${through}`)}`];
  }
  if (fixedState === 1) {
    return [
      sql`l.isFixed = 1 and l.level <> 'info' and ${newest(flagged, belowMark)}`,
      sql`l.isFixed = 0 and l.level <> 'info' and l.id <= ${fixedThrough} and ${newest(flagged, belowMark)}`,
    ];
  }
  return [];
}

function conditions(filter: Filter, p: Values): RawBuilder<SqlBool>[] {
  const candidates: [boolean, RawBuilder<SqlBool>][] = [
    [filter.role !== "", sql`l.role = ${p.role}`],
    [
      filter.role === "" && filter.nodeId > 0n,
      sql`l.role in (select role from nodeLogBuckets where scope = 1 and scopeId = ${p.nodeId} and idBits = 62)`,
    ],
    [filter.nodeId > 0n, sql`l.nodeId = ${p.nodeId}`],
    [filter.byNodes, sql`l.nodeId in ${anyOf(p.nodeIds)}`],
    [filter.serverId > 0n, sql`l.serverId > 0 and l.serverId = ${p.serverId}`],
    [filter.originId > 0n, sql`l.originId > 0 and l.originId = ${p.originId}`],
    [filter.allServers, sql`l.serverId > 0`],
    [filter.byLevels, sql`l.level in ${anyOf(p.levels)}`],
    // The unary plus keeps SQLite from using the index of createdAt, because the list is ordered by id.
    [hasDays(filter), sql`+l.createdAt >= ${p.from} and +l.createdAt < ${p.to}`],
    [filter.keyword !== "", sql`(l.tag like ${p.pattern} escape '\\' or l.description like ${p.pattern} escape '\\')`],
    [filter.tag !== "", sql`l.tag like ${p.tagPattern} escape '\\'`],
    [filter.isUnread, sql`${UNREAD}`],
    [true, sql`not exists (select 1 from nodeLogRemovals as r where r.role = l.role and r.nodeId = l.nodeId)`],
  ];
  return candidates.filter(([applies]) => applies).map(([, condition]) => condition);
}
