import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  trafficPackagePeriods: LiveTable<{ count: bigint; unit: string; months: bigint; isOn: DefaultFlag }>;
}

export type TrafficPackagePeriodRow = Selectable<Tables["trafficPackagePeriods"]>;

/** The SQL statements of this plugin. */
export function trafficPackagePeriodStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "trafficPackagePeriods", errors.not_found),
    /** Returns no row if a period of the same length exists. */
    insert: db.insertUnique("trafficPackagePeriods", ["count", "unit", "months"]),
    setOn: db.update("trafficPackagePeriods", ["isOn"]),
    all: db.query((q) => q.selectFrom("trafficPackagePeriods").selectAll().where("state", "=", 1n).orderBy("months")),
  };
}

export type TrafficPackagePeriodStore = ReturnType<typeof trafficPackagePeriodStore>;
