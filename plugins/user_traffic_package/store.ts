import { anyOf, type Db, ownedRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import { type Generated, type Selectable, sql } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  userTrafficPackages: LiveTable<{
    userId: bigint;
    trafficPackageId: bigint;
    nodeRegionId: bigint;
    trafficPackagePeriodId: bigint;
    periodCount: Int32;
    periodUnit: string;
    totalBytes: bigint;
    usedBytes: Generated<bigint>;
    /** Such as 2026-01-31. */
    dayFrom: string;
    /** The last day. */
    dayTo: string;
    createdAt: bigint;
  }>;
  /** The bytes that bills have used of packages, by the first day of the billed range. */
  userTrafficPackageDraws: { packageId: bigint; dayFrom: string; bytes: bigint };
}

export type UserTrafficPackageRow = Selectable<Tables["userTrafficPackages"]>;
export type Draw = Selectable<Tables["userTrafficPackageDraws"]>;

/** The columns with the ids of what a package was made of. */
export type PartColumn = "trafficPackageId" | "nodeRegionId" | "trafficPackagePeriodId";

/** The SQL statements that change packages and find them by id, owner or part. */
export function userTrafficPackageStore(db: Db<Tables>) {
  const withPart = (column: PartColumn) =>
    db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("userTrafficPackages").select(["id", "userId"]).where(column, "=", p.id).where("state", "=", 1n)
        .limit(p.limit)
    );
  return {
    ...ownedRows(db, "userTrafficPackages", errors.not_found),
    insert: db.insert("userTrafficPackages", [
      "userId",
      "trafficPackageId",
      "nodeRegionId",
      "trafficPackagePeriodId",
      "periodCount",
      "periodUnit",
      "totalBytes",
      "dayFrom",
      "dayTo",
      "createdAt",
    ]),
    withPart: {
      trafficPackageId: withPart("trafficPackageId"),
      nodeRegionId: withPart("nodeRegionId"),
      trafficPackagePeriodId: withPart("trafficPackagePeriodId"),
    },
    countOfUser: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("userTrafficPackages").select(sql<bigint>`count(*)`.as("count")).where("userId", "=", p.userId)
        .where("state", "=", 1n)
    ),
    /** Selects packages that are valid on a day of the range, also deleted ones; those that expire first come first. */
    validWithin: db.query((q, p: { userIds: bigint[]; from: string; to: string }) =>
      q.selectFrom("userTrafficPackages").selectAll().where("userId", "in", anyOf(p.userIds))
        .where("dayTo", ">=", p.from).where("dayFrom", "<=", p.to).orderBy("dayTo").orderBy("id")
    ),
    draws: db.query((q, p: { ids: bigint[]; dayFrom: string }) =>
      q.selectFrom("userTrafficPackageDraws").selectAll().where("packageId", "in", anyOf(p.ids))
        .where("dayFrom", "=", p.dayFrom)
    ),
    removeDraw: db.query((q, p: { packageId: bigint; dayFrom: string }) =>
      q.deleteFrom("userTrafficPackageDraws").where("packageId", "=", p.packageId).where("dayFrom", "=", p.dayFrom)
    ),
    setDraw: db.query((q, p: Draw) =>
      q.replaceInto("userTrafficPackageDraws").values({ packageId: p.packageId, dayFrom: p.dayFrom, bytes: p.bytes })
    ),
    use: db.query((q, p: { id: bigint; bytes: bigint }) =>
      q.updateTable("userTrafficPackages").set({ usedBytes: sql<bigint>`usedBytes + ${p.bytes}` }).where(
        "id",
        "=",
        p.id,
      )
    ),
  };
}

export type UserTrafficPackageStore = ReturnType<typeof userTrafficPackageStore>;
