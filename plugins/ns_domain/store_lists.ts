import type { Call, Db, Page } from "edgehelm";
import { type ExpressionBuilder, type Kysely, sql, type SqlBool } from "kysely";
import { trigramQuery } from "./rules.ts";
import { isLive, isOwned, type NSDomainRow, type Tables } from "./store.ts";

/** Which domains a list or a count takes; 0 and "" stand for any. */
export interface Filter {
  readonly userId: bigint;
  readonly nsClusterId: bigint;
  readonly nsDomainGroupId: bigint;
  readonly status: string;
  readonly keyword: string;
}

type Values = Filter & { readonly below: bigint; readonly offset: bigint; readonly size: bigint; match: string };

const NO_LIMIT = 2n ** 62n;
/** How many bits of the id the buckets leave out. */
const [FINE, COARSE] = [10n, 16n];
/** Up to here passing rows over is quicker than looking buckets up. */
const NEAR = 500n;
/** A scope of at most so many domains is searched row by row; a larger one through the search index. */
const SMALL_SCOPE = 2000n;

/** Lists and counts: newest first, at any depth, by bucket counts that triggers keep. */
export function nsDomainLists(db: Db<Tables>) {
  const total = db.query((q, p: Filter) =>
    inScope(q, p).select(sql<bigint>`coalesce(sum(n), 0)`.as("n")).where("idBits", "=", COARSE)
  );
  /** The bucket in which the row after `offset` others lies, the highest ids first, and how many come before it. */
  const bucketAt = db.query((q, p: Filter & { idBits: bigint; first: bigint; last: bigint; offset: bigint }) =>
    q.selectFrom(
      q.selectFrom(
        inScope(q, p).select(["bucket", sql<bigint>`sum(n)`.as("n")]).where("idBits", "=", p.idBits)
          .where("bucket", ">=", p.first).where("bucket", "<=", p.last).groupBy("bucket").as("buckets"),
      ).select(["bucket", "n", sql<bigint>`sum(n) over (order by bucket desc) - n`.as("before")]).as("sums"),
    ).select(["bucket", "before"]).where(sql<SqlBool>`before <= ${p.offset} and before + n > ${p.offset}`).limit(1)
  );
  const statements = new Map<string, ReturnType<typeof compile>>();

  /** The statements for the filters that are given: each needs an index of its own. */
  function statementsFor(filter: Filter, match: string) {
    const shape = [filter.userId, filter.nsClusterId, filter.nsDomainGroupId, filter.status, filter.keyword, match]
      .map(Boolean).join();
    let known = statements.get(shape);
    if (known === undefined) statements.set(shape, known = compile(db, filter, match));
    return known;
  }

  async function countWithoutKeyword(call: Call, filter: Filter): Promise<bigint> {
    return (await total.one(call, filter)).n;
  }

  /** How to run a keyword: small scopes at once, large ones away from the event loop. */
  async function search(call: Call, filter: Filter) {
    const isSmall = await countWithoutKeyword(call, filter) <= SMALL_SCOPE;
    const match = isSmall ? "" : trigramQuery(filter.keyword) ?? "";
    return { run: isSmall ? "all" as const : "scan" as const, match, ...statementsFor(filter, match) };
  }

  /** The bucket of ids in which the page starts, and how many rows of it to pass over. */
  async function locate(call: Call, filter: Filter, offset: bigint): Promise<{ below: bigint; offset: bigint }> {
    if (offset <= NEAR) return { below: NO_LIMIT, offset };
    const all = { ...filter, idBits: COARSE, first: 0n, last: NO_LIMIT, offset };
    const coarse = await bucketAt.first(call, all);
    if (coarse === undefined) return { below: 0n, offset: 0n };
    const [first, left] = [coarse.bucket << (COARSE - FINE), offset - coarse.before];
    const within = { ...filter, idBits: FINE, first, last: first + (1n << (COARSE - FINE)) - 1n, offset: left };
    const { bucket, before } = await bucketAt.one(call, within);
    return { below: (bucket + 1n) << FINE, offset: left - before };
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

function compile(db: Db<Tables>, filter: Filter, match: string) {
  // the plus keeps the planner from starting at another index than that of the search
  const column = (name: string) => sql<bigint>`${sql.raw(match === "" ? "" : "+")}${sql.ref(`nsDomains.${name}`)}`;
  function matching(q: Kysely<Tables> | ExpressionBuilder<Tables, never>, p: Values) {
    return q.selectFrom("nsDomains").where(isLive)
      .$if(filter.userId !== 0n, (one) => one.where(column("userId"), "=", p.userId).where(isOwned))
      .$if(filter.nsClusterId !== 0n, (one) => one.where(column("nsClusterId"), "=", p.nsClusterId))
      .$if(filter.status !== "", (one) => one.where(sql<SqlBool>`nsDomains.status = ${p.status}`))
      .$if(
        filter.nsDomainGroupId !== 0n,
        (one) =>
          one.where(column("id"), "in", (links) =>
            links.selectFrom("nsDomainGroupLinks").select("nsDomainId")
              .where("nsDomainGroupId", "=", p.nsDomainGroupId).where("nsDomainId", "<", p.below)),
      )
      .$if(filter.keyword !== "", (one) => one.where(sql<SqlBool>`instr(nsDomains.name, ${p.keyword}) > 0`));
  }
  const list = (q: Kysely<Tables>, p: Values) =>
    matching(q, p).selectAll("nsDomains").where("nsDomains.id", "<", p.below).orderBy("nsDomains.id", "desc")
      .limit(p.size).offset(p.offset);
  /** Hits of the search index, which gives them in the order of ids, so that a page needs no more than it shows. */
  const indexed = (q: Kysely<Tables>, p: Values) =>
    matching(q, p).innerJoin("nsDomainSearch", "nsDomainSearch.rowid", "nsDomains.id")
      .where("nsDomainSearch", "match", p.match).select("nsDomainSearch.rowid as id");
  /** Matches among the domains that are not in the search index yet. */
  const fresh = (q: Kysely<Tables>, p: Values) =>
    matching(q, p).where("nsDomains.id", ">", (state) => state.selectFrom("nsDomainSearchState").select("indexedId"))
      .select("nsDomains.id as id");
  const found = (q: Kysely<Tables>, p: Values) => fresh(q, p).unionAll(indexed(q, p));
  if (match === "") {
    return { list: db.query(list), count: db.query((q, p: Values) => matching(q, p).select(rows)) };
  }
  return {
    list: db.query((q, p: Values) =>
      q.selectFrom("nsDomains").selectAll("nsDomains")
        .where("id", "in", () => found(q, p).orderBy("id", "desc").limit(p.size).offset(p.offset))
        .orderBy("id", "desc")
    ),
    count: db.query((q, p: Values) => q.selectFrom(found(q, p).as("found")).select(rows)),
  };
}

const rows = sql<bigint>`count(*)`.as("n");
