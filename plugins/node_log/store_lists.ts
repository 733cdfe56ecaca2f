import {
  anyOf,
  type Call,
  containing,
  type Db,
  memoizeByShape,
  type Page,
  type TrigramIndex,
  trigramQuery,
} from "edgehelm";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { NodeLogCounts } from "./store_counts.ts";
import { type Filter, fixedThrough, readThrough, type Tables } from "./store.ts";

type Values = Filter & Page & { ranges: string; pattern: string; tagPattern: string; match: string };
/** How logs are come by: in ranges of ids, through an index or the ids themselves, or through the search index. */
type Way = "ranges" | "index" | "search";

/** Passing over more rows than this, or looking into more ranges, is left to a reader beside the event loop. */
const NEAR = 2000n;
const FEW_RANGES = 32;
/** A scope with at most so many logs is searched row by row; a larger one through the search index. */
const SMALL_SCOPE = 2000n;

/** Lists and counts of logs, the newest first. */
export function nodeLogLists(db: Db<Tables>, counts: NodeLogCounts, search: TrigramIndex) {
  const statementsFor = memoizeByShape(
    (filter: Filter, way: Way) => {
      return [way, String(filter.fixedState), hasDays(filter), ...Object.values(filter).map(isGiven)];
    },
    (filter, way) => compile(db, search, filter, way),
  );

  function valuesOf(filter: Filter, page: Page, ranges: readonly (readonly [bigint, bigint])[] = []): Values {
    return {
      ...filter,
      ...page,
      ranges: `[${ranges.map(([from, to]) => `[${from},${to}]`).join()}]`,
      pattern: containing(filter.keyword),
      tagPattern: containing(filter.tag),
      match: trigramQuery(filter.keyword, filter.tag) ?? "",
    };
  }

  /** How to find a text: in small scopes row by row, in large ones through the search index. */
  async function wayTo(call: Call, filter: Filter): Promise<Way> {
    if (trigramQuery(filter.keyword, filter.tag) === undefined) return "index";
    const { nodeId, byNodes, serverId, originId } = filter;
    if (nodeId === 0n && !byNodes && serverId === 0n && originId === 0n) return "search";
    const scope = { ...filter, keyword: "", tag: "", fixedState: 0 };
    if (!await counts.knows(call, scope)) return "search";
    return await counts.total(call, scope) <= SMALL_SCOPE ? "index" : "search";
  }

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      if (await counts.knows(call, filter)) return await counts.total(call, filter);
      const { count } = statementsFor(filter, await wayTo(call, filter));
      return (await count.scan(call, valuesOf(filter, { offset: 0n, size: 0n })))[0]!.n;
    },

    async ids(call: Call, filter: Filter, page: Page): Promise<bigint[]> {
      const idsOf = (rows: readonly { id: bigint }[]) => rows.map(({ id }) => id);
      const isKnown = await counts.knows(call, filter);
      const lie = isKnown ? await counts.ranges(call, filter, page) : undefined;
      if (lie !== undefined) {
        const { ranges, offset } = lie;
        if (ranges.length === 0) return [];
        const { ids } = statementsFor(filter, "ranges");
        const run = ranges.length > FEW_RANGES || page.size > NEAR || filter.byNodes ? "scan" : "all";
        return idsOf(await ids[run](call, valuesOf(filter, { offset, size: page.size }, ranges)));
      }
      const { ids } = statementsFor(filter, await wayTo(call, filter));
      const isSmall = isKnown && await counts.total(call, filter) <= SMALL_SCOPE;
      return idsOf(await ids[isSmall ? "all" : "scan"](call, valuesOf(filter, page)));
    },
  };
}

export type NodeLogLists = ReturnType<typeof nodeLogLists>;

function hasDays({ from, to }: Filter): boolean {
  return from > 0n || to < 2n ** 53n;
}

/** Whether a member of a filter asks for something. */
function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== "" && value !== 0n && value !== 0 && value !== false;
}

function compile(db: Db<Tables>, search: TrigramIndex, filter: Filter, way: Way) {
  const branches = (p: Values, isCount = false) => sql.join(sources(search, filter, way, p, isCount), sql` union all `);
  return {
    ids: db.query((q: Kysely<Tables>, p: Values) =>
      q.selectFrom(
        sql<{ id: bigint }>`(select id from (${branches(p)}) order by id desc limit ${p.size} offset ${p.offset})`
          .as("found"),
      ).select("id")
    ),
    /** Of logs that are asked for by their state, how many different things they say. */
    count: db.query((q: Kysely<Tables>, p: Values) =>
      q.selectFrom(sql<{ hash: string }>`(${branches(p, true)})`.as("found"))
        .select(filter.fixedState === 0 ? sql<bigint>`count(*)`.as("n") : sql<bigint>`count(distinct hash)`.as("n"))
    ),
  };
}

const UNREAD = sql`l.isRead = 0 and l.id > ${readThrough}`;

/** Selects of all logs that match, each log in one of them. */
function sources(search: TrigramIndex, filter: Filter, way: Way, p: Values, isCount: boolean): RawBuilder<unknown>[] {
  const select = (id: RawBuilder<unknown>, from: RawBuilder<unknown>, ...more: RawBuilder<unknown>[]) => {
    const all = [...more, ...conditions(filter, p)];
    const hash = filter.fixedState === 0 ? sql`` : sql`, l.hash`;
    return sql`select ${id} as id${hash} from ${from} where ${sql.join(all, sql` and `)}`;
  };
  const state = states(filter, p, isCount);
  const marked = state.length === 0 ? [sql`true`] : state;
  if (way === "search") {
    const found = search.sources("l", p.match);
    return marked.flatMap((one) => found.map(({ id, from, where }) => select(id, from, where, one)));
  }
  if (way === "ranges") {
    const within = sql`json_each(${p.ranges}) as r cross join nodeLogs as l ${indexOf(filter)}`;
    return [select(sql`l.id`, within, sql`l.id >= r.value ->> 0`, sql`l.id < r.value ->> 1`)];
  }
  return marked.map((one, at) => select(sql`l.id`, sql`nodeLogs as l ${indexOf(filter, at, isCount)}`, one));
}

/** The one index that serves a filter best; without statistics SQLite cannot tell. */
function indexOf({ serverId, originId, nodeId, byNodes, isUnread, fixedState }: Filter, branch = 0, isCount = false) {
  if (serverId > 0n) return sql.raw("indexed by nodeLogs_site");
  if (originId > 0n) return sql.raw("indexed by nodeLogs_origin");
  if (nodeId > 0n || byNodes) return sql.raw(`indexed by ${isUnread ? "nodeLogs_unread" : "nodeLogs_node"}`);
  if (fixedState === 2) return sql.raw(`indexed by ${isCount ? "nodeLogs_openHash" : "nodeLogs_open"}`);
  if (fixedState === 1 && branch === 0) return sql.raw("indexed by nodeLogs_fixed");
  return sql.raw("not indexed");
}

/** The parts of logs in a state: those that are marked, and those that a mark over all reaches. */
function states(filter: Filter, p: Values, isCount: boolean): RawBuilder<unknown>[] {
  const { fixedState, isUnread } = filter;
  const dated = hasDays(filter) ? sql`and +later.createdAt >= ${p.from} and +later.createdAt < ${p.to}` : sql``;
  // what is the newest of the logs that say the same: all but times and marks is the same in them
  const newest = (...state: string[]) =>
    isCount ? sql`true` : sql.join(
      state.map((one) =>
        sql`not exists (select 1 from nodeLogs as later where later.hash = l.hash and later.id > l.id
        and ${sql.raw(one)} ${dated}
        ${isUnread ? sql`and later.isRead = 0 and later.id > ${readThrough}` : sql``})`
      ),
      sql` and `,
    );
  const through = "(select fixedThrough from nodeLogMarks)";
  const [fixed, reached] = ["later.isFixed = 1", `later.isFixed = 0 and later.id <= ${through}`];
  if (fixedState === 2) {
    return [sql`l.isFixed = 0 and l.level <> 'info' and l.id > ${fixedThrough}
      and ${newest(`later.isFixed = 0 and later.id > ${through}`)}`];
  }
  if (fixedState === 1) {
    return [
      sql`l.isFixed = 1 and l.level <> 'info' and ${newest(fixed, reached)}`,
      sql`l.isFixed = 0 and l.level <> 'info' and l.id <= ${fixedThrough} and ${newest(fixed, reached)}`,
    ];
  }
  return [];
}

function conditions(filter: Filter, p: Values): RawBuilder<SqlBool>[] {
  const given: [boolean, RawBuilder<SqlBool>][] = [
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
    // the plus keeps the index of createdAt out: what is wanted are the newest by id
    [hasDays(filter), sql`+l.createdAt >= ${p.from} and +l.createdAt < ${p.to}`],
    [filter.keyword !== "", sql`(l.tag like ${p.pattern} escape '\\' or l.description like ${p.pattern} escape '\\')`],
    [filter.tag !== "", sql`l.tag like ${p.tagPattern} escape '\\'`],
    [filter.isUnread, sql`${UNREAD}`],
    [true, sql`not exists (select 1 from nodeLogRemovals as r where r.role = l.role and r.nodeId = l.nodeId)`],
  ];
  return given.filter(([isWanted]) => isWanted).map(([, condition]) => condition);
}
