import { type Call, type Db, type Page, rowCount } from "edgehelm";
import { containing, memoizeByShape } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import { isLive, type NSNodeRow, type Tables } from "./store.ts";

/** Selects the nodes of a list or a count; 0 and empty values match all. */
export interface Filter {
  readonly nsClusterId: bigint;
  /** 1 matches installed nodes, 2 the others. */
  readonly installState: number;
  /** 1 matches active nodes, 2 the others. */
  readonly activeState: number;
  readonly keyword: string;
  /** Nodes whose last report is older are not active. */
  readonly activeSince: bigint;
}

type Values = Filter & Page & { readonly pattern: string };

const ALL_PAGE = { offset: 0n, size: 100_000n };

/** Lists nodes newest first and counts them. Searches for a keyword run off the event loop. */
export function nsNodeLists(db: Db<Tables>) {
  const statementsFor = memoizeByShape(
    (
      { nsClusterId, installState, activeState, keyword }: Filter,
    ) => [nsClusterId !== 0n, String(installState), String(activeState), keyword !== ""],
    (filter) => compile(db, filter),
  );

  function prepare(filter: Filter, page: Page) {
    const run = filter.keyword === "" ? "all" as const : "scan" as const;
    return { ...statementsFor(filter), run, values: { ...filter, ...page, pattern: containing(filter.keyword) } };
  }

  const countOutdated = db.query((q, p: { nsClusterId: bigint; os: string; arch: string; versionCode: bigint }) =>
    q.selectFrom("nsNodes").select(rowCount).where(isLive)
      .where("nsClusterId", "=", p.nsClusterId).where("os", "=", p.os).where("arch", "=", p.arch)
      .where("buildVersionCode", "<", p.versionCode)
  );

  return {
    countOutdated,
    async list(call: Call, filter: Filter, page: Page = ALL_PAGE): Promise<NSNodeRow[]> {
      const { list, run, values } = prepare(filter, page);
      return await list[run](call, values);
    },
    async count(call: Call, filter: Filter): Promise<bigint> {
      const { count, run, values } = prepare(filter, ALL_PAGE);
      return (await count[run](call, values))[0]!.count;
    },
  };
}

export type NSNodeLists = ReturnType<typeof nsNodeLists>;

function compile(db: Db<Tables>, { nsClusterId, installState, activeState, keyword }: Filter) {
  const active = (p: Values) =>
    sql<SqlBool>`(isActive = 1 and statusIsActive = 1 and statusUpdatedAt >= ${p.activeSince})`;
  const matching = (q: Kysely<Tables>, p: Values) =>
    q.selectFrom("nsNodes").where(isLive)
      .$if(nsClusterId !== 0n, (query) => query.where("nsClusterId", "=", p.nsClusterId))
      .$if(installState !== 0, (query) => query.where("isInstalled", "=", installState === 1 ? 1n : 0n))
      .$if(activeState === 1, (query) => query.where(active(p)))
      .$if(activeState === 2, (query) => query.where(sql<SqlBool>`not ${active(p)}`))
      .$if(keyword !== "", (query) => query.where(sql<SqlBool>`name like ${p.pattern} escape '\\'`));
  return {
    list: db.query((q, p: Values) => matching(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)),
    count: db.query((q, p: Values) => matching(q, p).select(rowCount)),
  };
}
