import { type Call, type Db, type Page, rowCount } from "edgehelm";
import { memoizeByShape } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { Tables, UserTrafficPackageRow } from "./store.ts";

/** The filter of lists and counts. Ids of 0 match any. */
export interface Filter {
  readonly userId: bigint;
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
  /** The latest last day; "" matches any. */
  readonly dayTo: string;
  /** The day on which packages must be usable; "" matches any. */
  readonly usableOn: string;
}

const IDS = ["userId", "trafficPackageId", "nodeRegionId", "trafficPackagePeriodId"] as const;

/** Lists packages of users, newest first, and counts them. What is not limited to a user may be a scan of all. */
export function userTrafficPackageLists(db: Db<Tables>) {
  const statementsFor = memoizeByShape(
    (filter: Filter) => [...IDS.map((name) => filter[name] !== 0n), filter.dayTo !== "", filter.usableOn !== ""],
    (filter) => compile(db, filter),
  );
  const way = ({ userId }: Filter) => userId === 0n ? "scan" as const : "all" as const;
  return {
    list: (call: Call, filter: Filter, page: Page): Promise<UserTrafficPackageRow[]> =>
      statementsFor(filter).page[way(filter)](call, { ...filter, ...page }),
    async count(call: Call, filter: Filter): Promise<{ count: bigint }> {
      return (await statementsFor(filter).count[way(filter)](call, filter))[0]!;
    },
  };
}

export type UserTrafficPackageLists = ReturnType<typeof userTrafficPackageLists>;

function compile(db: Db<Tables>, filter: Filter) {
  const filtered = (q: Kysely<Tables>, p: Filter) =>
    IDS.filter((name) => filter[name] !== 0n)
      .reduce((rows, name) => rows.where(name, "=", p[name]), q.selectFrom("userTrafficPackages"))
      .where("state", "=", 1n)
      .$if(filter.dayTo !== "", (rows) => rows.where("dayTo", "<=", p.dayTo))
      .$if(filter.usableOn !== "", (rows) =>
        rows.where("dayTo", ">=", p.usableOn).where(sql<SqlBool>`usedBytes < totalBytes`));
  return {
    page: db.query((q, p: Filter & Page) =>
      filtered(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: Filter) => filtered(q, p).select(rowCount)),
  };
}
