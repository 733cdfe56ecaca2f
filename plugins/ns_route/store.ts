import { type Call, type Db, type DefaultFlag, type Flag, ownedRows, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareFeed, feedRows, memoizeByShape } from "edgehelm/storage";
import { type Kysely, type Selectable, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  nsRoutes: LiveTable<{
    /** The cluster that the route is limited to; 0 for all. The same applies to nsDomainId. */
    nsClusterId: bigint;
    nsDomainId: bigint;
    userId: bigint;
    name: string;
    rangesJSON: Uint8Array;
    isPublic: Flag;
    priority: bigint;
    order: bigint;
    isOn: DefaultFlag;
    version: bigint;
  }>;
}

export type NSRouteRow = Selectable<Tables["nsRoutes"]>;

/** The filter of lists and counts; 0 matches any. */
export interface Filter {
  readonly nsClusterId: bigint;
  readonly nsDomainId: bigint;
  readonly userId: bigint;
}

/** A limit that real lists do not reach. */
const MAX_LISTED = 10_000;

const isLive = sql<SqlBool>`nsRoutes.state = 1`;

/** One feed for all clusters, since most routes belong to all. */
export const routeFeed = declareFeed({ table: "nsRoutes", version: "version" });

const SETTINGS = ["name", "rangesJSON", "isPublic", "priority"] as const;

/** The SQL statements of this plugin. */
export function nsRouteStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nsRoutes").where(isLive);
  const inOrder = (q: Kysely<Tables>) => live(q).selectAll().orderBy("order", "desc").orderBy("id").limit(MAX_LISTED);
  const statementsFor = memoizeByShape(
    ({ nsClusterId, nsDomainId, userId }: Filter) => [nsClusterId, nsDomainId, userId].map(Boolean),
    ({ nsClusterId, nsDomainId, userId }) => {
      const matches = <Rows>(rows: SelectQueryBuilder<Tables, "nsRoutes", Rows>, p: Filter) =>
        rows.$if(nsClusterId !== 0n, (query) => query.where("nsClusterId", "=", p.nsClusterId))
          .$if(nsDomainId !== 0n, (query) => query.where("nsDomainId", "=", p.nsDomainId))
          .$if(userId !== 0n, (query) => query.where("userId", "=", p.userId));
      return {
        list: db.query((q, p: Filter) => matches(inOrder(q), p)),
        count: db.query((q, p: Filter) => matches(live(q).select(rowCount), p)),
      };
    },
  );

  return {
    ...ownedRows(db, "nsRoutes", errors.not_found),
    ...feedRows(db, routeFeed, {
      insert: [...SETTINGS, "nsClusterId", "nsDomainId", "userId"],
      update: [...SETTINGS, "order", "isOn"],
      also: { order: sql`(select coalesce(max("order"), 0) + 1 from nsRoutes where state = 1)` },
    }),
    isPublic: db.query((q) => inOrder(q).where(sql<SqlBool>`isPublic = 1`)),
    ofUser: db.query((q, p: { userId: bigint }) => inOrder(q).where("userId", "=", p.userId)),
    idsOfDomain: db.query((q, p: { nsDomainId: bigint; after: bigint; limit: number }) =>
      live(q).select("id").where("nsDomainId", "=", p.nsDomainId).where("id", ">", p.after).orderBy("id").limit(p.limit)
    ),

    /** Returns the matching routes in the order in which they are tried. */
    list: (call: Call, filter: Filter): Promise<NSRouteRow[]> => statementsFor(filter).list.all(call, filter),
    count: (call: Call, filter: Filter): Promise<{ count: bigint }> => statementsFor(filter).count.one(call, filter),
  };
}

export type NSRouteStore = ReturnType<typeof nsRouteStore>;
