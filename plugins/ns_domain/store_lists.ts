import type { Call, Db, Page } from "edgehelm";
import { idRanges, memoizeByShape, type TrigramIndex, trigramQuery, type TrigramSource } from "edgehelm/storage";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import { isLive, isOwned, type NSDomainRow, type Tables } from "./store.ts";

/** Selects the domains of a list or a count; 0 and empty values match all. */
export interface Filter {
  readonly userId: bigint;
  readonly nsClusterId: bigint;
  readonly nsDomainGroupId: bigint;
  readonly status: string;
  readonly keyword: string;
}

type Values = Filter & Page & { readonly below: bigint; readonly match: string };

const NO_LIMIT = 2n ** 62n;
/** The number of low bits of an id that a bucket spans. */
const [COARSE, FINE] = [16n, 10n];
/** The maximum offset at which skipping rows is faster than reading the bucket counts. */
const MAX_SKIPPED_ROWS = 500n;
/** The maximum number of domains in a scope that is searched row by row instead of through the search index. */
const MAX_DOMAINS_SEARCHED_BY_ROW = 2000n;

/** Lists domains newest first, at any depth, and counts them, with bucket counts that triggers maintain. */
export function nsDomainLists(db: Db<Tables>, names: TrigramIndex) {
  const total = db.query((q, p: Filter) =>
    inScope(q, p).select(sql<bigint>`coalesce(sum(n), 0)`.as("n")).where("idBits", "=", COARSE)
  );
  const buckets = db.query((q, p: Filter & { idBits: bigint; first: bigint; last: bigint }) =>
    inScope(q, p).select(["bucket", sql<bigint>`sum(n)`.as("n")]).where("idBits", "=", p.idBits)
      .where("bucket", ">=", p.first).where("bucket", "<=", p.last).groupBy("bucket").orderBy("bucket", "desc")
  );
  const statementsFor = memoizeByShape(
    ({ userId, nsClusterId, nsDomainGroupId, status, keyword }: Filter, match: string) =>
      [userId, nsClusterId, nsDomainGroupId, status, keyword, match].map(Boolean),
    (filter, match) => compile(db, filter, match === "" ? undefined : names),
  );

  async function countWithoutKeyword(call: Call, filter: Filter): Promise<bigint> {
    return (await total.one(call, filter)).n;
  }

  /** Chooses how to search for a keyword: small scopes on the event loop, large ones off it. */
  async function search(call: Call, filter: Filter) {
    const isSmall = await countWithoutKeyword(call, filter) <= MAX_DOMAINS_SEARCHED_BY_ROW;
    const match = isSmall ? "" : trigramQuery(filter.keyword) ?? "";
    return { run: isSmall ? "all" as const : "scan" as const, match, ...statementsFor(filter, match) };
  }

  /** Returns the id below which to start and the number of rows to skip from there. */
  async function locate(call: Call, filter: Filter, offset: bigint): Promise<{ below: bigint; offset: bigint }> {
    if (offset <= MAX_SKIPPED_ROWS) return { below: NO_LIMIT, offset };
    const position = await idRanges(
      { offset, size: 1n },
      { coarse: COARSE, fine: FINE },
      (idBits, first, last) => buckets.all(call, { ...filter, idBits, first, last }),
    );
    return { below: position.ranges[0]?.[1] ?? 0n, offset: position.offset };
  }

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      if (filter.keyword === "") return await countWithoutKeyword(call, filter);
      const { run, match, count } = await search(call, filter);
      const [row] = await count[run](call, { ...filter, match, below: NO_LIMIT, offset: 0n, size: NO_LIMIT });
      return row!.n;
    },

    async list(call: Call, filter: Filter, { offset, size }: Page): Promise<NSDomainRow[]> {
      if (filter.keyword === "") {
        const start = await locate(call, filter, offset);
        return await statementsFor(filter, "").list.all(call, { ...filter, ...start, match: "", size });
      }
      const { run, match, list } = await search(call, filter);
      return await list[run](call, { ...filter, match, below: NO_LIMIT, offset, size });
    },
  };
}

export type NSDomainLists = ReturnType<typeof nsDomainLists>;

function inScope(q: Kysely<Tables>, p: Filter) {
  return q.selectFrom("nsDomainBuckets").where("userId", "=", p.userId).where("nsClusterId", "=", p.nsClusterId)
    .where("nsDomainGroupId", "=", p.nsDomainGroupId).where(sql<SqlBool>`${p.status} in ('', status)`);
}

/** @param names the index for the keyword; without it, the domains of the scope are searched row by row */
function compile(db: Db<Tables>, filter: Filter, names: TrigramIndex | undefined) {
  /** Selects the ids of all matching domains, each once. */
  function matchingIds(p: Values) {
    const sources = names === undefined ? [scopeOf(filter, p)] : sourcesOf(names, filter, p);
    const selects = sources.map(({ id, from, where }) =>
      sql`select ${id} as id from ${from} where ${where} and ${id} < ${p.below} and ${matchesFilter(filter, p)}`
    );
    return sql.join(selects, sql` union all `);
  }
  const isSingleTable = names === undefined && filter.nsDomainGroupId === 0n;
  return {
    list: db.query((q, p: Values) => {
      const domains = q.selectFrom("nsDomains").selectAll().orderBy("id", "desc");
      const page = sql<bigint>`(${matchingIds(p)} order by id desc limit ${p.size} offset ${p.offset})`;
      return isSingleTable
        ? domains.where("id", "<", p.below).where(matchesFilter(filter, p)).limit(p.size).offset(p.offset)
        : domains.where("id", "in", page);
    }),
    count: db.query((q, p: Values) =>
      q.selectFrom(sql<{ id: bigint }>`(${matchingIds(p)})`.as("found")).select(sql<bigint>`count(*)`.as("n"))
    ),
  };
}

/** Selects the domains of a group, or all domains, in the order of their ids. */
function scopeOf(filter: Filter, p: Values): TrigramSource {
  if (filter.nsDomainGroupId === 0n) return { id: sql`nsDomains.id`, from: sql`nsDomains`, where: sql`true` };
  return {
    id: sql`links.nsDomainId`,
    from: sql`nsDomainGroupLinks as links cross join nsDomains`,
    where: sql`links.nsDomainGroupId = ${p.nsDomainGroupId} and nsDomains.id = links.nsDomainId`,
  };
}

/** Returns the sources of domains that may match a keyword. */
function sourcesOf(names: TrigramIndex, filter: Filter, p: Values): readonly TrigramSource[] {
  const sources = names.sources("nsDomains", p.match);
  if (filter.nsDomainGroupId === 0n) return sources;
  const isInGroup = sql`exists (select 1 from nsDomainGroupLinks
    where nsDomainGroupId = ${p.nsDomainGroupId} and nsDomainId = nsDomains.id)`;
  return sources.map(({ where, ...source }) => ({ ...source, where: sql`${where} and ${isInGroup}` }));
}

/** Returns the condition that a domain matches a filter, apart from its groups. */
function matchesFilter(filter: Filter, p: Values): RawBuilder<SqlBool> {
  const conditions: [applies: boolean, condition: RawBuilder<SqlBool>][] = [
    [true, isLive],
    [filter.userId !== 0n, sql`nsDomains.userId = ${p.userId} and ${isOwned}`],
    [filter.nsClusterId !== 0n, sql`nsDomains.nsClusterId = ${p.nsClusterId}`],
    [filter.status !== "", sql`nsDomains.status = ${p.status}`],
    [filter.keyword !== "", sql`instr(nsDomains.name, ${p.keyword}) > 0`],
  ];
  const applicable = conditions.filter(([applies]) => applies).map(([, condition]) => condition);
  return sql`${sql.join(applicable, sql` and `)}`;
}
