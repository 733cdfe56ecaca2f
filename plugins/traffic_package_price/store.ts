import { type Db, rowCount } from "edgehelm";
import type { Selectable } from "kysely";

export interface Tables {
  trafficPackagePrices: {
    trafficPackageId: bigint;
    nodeRegionId: bigint;
    trafficPackagePeriodId: bigint;
    /** In hundredths of the currency unit. */
    price: bigint;
  };
}

export type TrafficPackagePriceRow = Selectable<Tables["trafficPackagePrices"]>;

/** The package, region and period of a price. */
export type PriceKey = Omit<TrafficPackagePriceRow, "price">;

const KEY = ["trafficPackageId", "nodeRegionId", "trafficPackagePeriodId"] as const;
/** The columns of the key. */
export type KeyColumn = (typeof KEY)[number];

/** The SQL statements of this plugin. */
export function trafficPackagePriceStore(db: Db<Tables>) {
  const pricesWith = (column: KeyColumn) =>
    db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("trafficPackagePrices").selectAll().where(column, "=", p.id).limit(p.limit)
    );
  return {
    set: db.put("trafficPackagePrices", KEY, [...KEY, "price"]),
    remove: db.query((q, p: PriceKey) =>
      q.deleteFrom("trafficPackagePrices").where("trafficPackageId", "=", p.trafficPackageId)
        .where("nodeRegionId", "=", p.nodeRegionId).where("trafficPackagePeriodId", "=", p.trafficPackagePeriodId)
    ),
    find: db.query((q, p: PriceKey) =>
      q.selectFrom("trafficPackagePrices").select("price").where("trafficPackageId", "=", p.trafficPackageId)
        .where("nodeRegionId", "=", p.nodeRegionId).where("trafficPackagePeriodId", "=", p.trafficPackagePeriodId)
    ),
    ofPackage: db.query((q, p: { trafficPackageId: bigint }) =>
      q.selectFrom("trafficPackagePrices").selectAll().where("trafficPackageId", "=", p.trafficPackageId)
        .orderBy("nodeRegionId").orderBy("trafficPackagePeriodId")
    ),
    countOfPackage: db.query((q, p: { trafficPackageId: bigint }) =>
      q.selectFrom("trafficPackagePrices").select(rowCount)
        .where("trafficPackageId", "=", p.trafficPackageId)
    ),
    all: db.query((q) =>
      q.selectFrom("trafficPackagePrices").selectAll().orderBy("trafficPackageId").orderBy("nodeRegionId")
        .orderBy("trafficPackagePeriodId")
    ),
    pricesWith: {
      trafficPackageId: pricesWith("trafficPackageId"),
      nodeRegionId: pricesWith("nodeRegionId"),
      trafficPackagePeriodId: pricesWith("trafficPackagePeriodId"),
    },
  };
}

export type TrafficPackagePriceStore = ReturnType<typeof trafficPackagePriceStore>;
