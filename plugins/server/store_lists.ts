import type { Call, Db, Page } from "edgehelm";
import { memoizeByShape } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import { isLive, type ServerRow, type Tables } from "./store.ts";

/** The filter of lists and counts; 0 and "" match any. */
export interface Filter {
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
  readonly userPlanId: bigint;
  readonly family: string;
  readonly keyword: string;
}

export const ANY: Filter = { userId: 0n, nodeClusterId: 0n, userPlanId: 0n, family: "", keyword: "" };

type Values = Filter & Page;

/** Pages at a higher offset are read outside the event loop. */
const MAX_INLINE_OFFSET = 5000n;

/** Lists servers, newest first, and counts them. */
export function serverLists(db: Db<Tables>) {
  const total = db.query((q, p: Filter) =>
    q.selectFrom("serverTotals").select("n").where("userId", "=", p.userId)
      .where("nodeClusterId", "=", p.nodeClusterId).where("family", "=", p.family)
  );
  const names = db.query((q, p: { userId: bigint }) =>
    q.selectFrom("servers").select(sql<bigint>`coalesce(sum(countServerNames), 0)`.as("n"))
      .where("userId", "=", p.userId).where(isLive)
  );
  const namesOfPlan = db.query((q, p: { userId: bigint; userPlanId: bigint }) =>
    q.selectFrom("servers").select(sql<bigint>`coalesce(sum(countServerNames), 0)`.as("n"))
      .where(ofPlan(p.userPlanId)).where(sql<SqlBool>`+userId = ${p.userId}`).where(isLive)
  );
  const statementsFor = memoizeByShape(
    (filter: Filter) => Object.values(filter).map(Boolean),
    (filter) => compile(db, filter),
  );

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      if (filter.keyword === "" && filter.userPlanId === 0n) return (await total.first(call, filter))?.n ?? 0n;
      const run = filter.userPlanId === 0n ? "scan" : "all";
      return (await statementsFor(filter).count[run](call, { ...filter, offset: 0n, size: 0n }))[0]!.n;
    },

    async list(call: Call, filter: Filter, page: Page): Promise<ServerRow[]> {
      const isInline = filter.keyword === "" && filter.family === "" && page.offset <= MAX_INLINE_OFFSET;
      return await statementsFor(filter).list[isInline ? "all" : "scan"](call, { ...filter, ...page });
    },

    async countNames(call: Call, userId: bigint, userPlanId: bigint): Promise<bigint> {
      const found = userPlanId === 0n ? names.one(call, { userId }) : namesOfPlan.one(call, { userId, userPlanId });
      return (await found).n;
    },
  };
}

export type ServerLists = ReturnType<typeof serverLists>;

function ofPlan(userPlanId: bigint) {
  return sql<SqlBool>`servers.userPlanId = ${userPlanId} and servers.userPlanId <> 0`;
}

function compile(db: Db<Tables>, filter: Filter) {
  function matching(q: Kysely<Tables>, p: Values) {
    return q.selectFrom("servers").where(isLive)
      .$if(filter.userPlanId !== 0n, (query) => query.where(ofPlan(p.userPlanId)))
      .$if(filter.userId !== 0n, (query) => query.where("userId", "=", p.userId))
      .$if(filter.nodeClusterId !== 0n, (query) => query.where("nodeClusterId", "=", p.nodeClusterId))
      .$if(filter.family !== "", (query) => query.where(sql<SqlBool>`+family = ${p.family}`))
      .$if(filter.keyword !== "", (query) => query.where(sql<SqlBool>`instr(searchText, ${p.keyword}) > 0`));
  }
  return {
    // the subquery uses only an index, so that skipped rows are not read
    list: db.query((q, p: Values) =>
      q.selectFrom("servers").selectAll().where(
        "id",
        "in",
        () => matching(q, p).select("id").orderBy("id", "desc").limit(p.size).offset(p.offset),
      ).orderBy("id", "desc")
    ),
    count: db.query((q, p: Values) => matching(q, p).select(sql<bigint>`count(*)`.as("n"))),
  };
}
