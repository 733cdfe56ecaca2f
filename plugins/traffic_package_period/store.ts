import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import { errors } from "./errors.ts";

export interface Tables {
  trafficPackagePeriods: LiveTable<{ count: Int32; unit: string; months: Int32; isOn: DefaultFlag }>;
}

export type TrafficPackagePeriodStore = ReturnType<typeof trafficPackagePeriodStore>;

export function trafficPackagePeriodStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "trafficPackagePeriods", errors.not_found),
    insert: db.insertUnique("trafficPackagePeriods", ["count", "unit", "months"]),
    update: db.update("trafficPackagePeriods", ["isOn"]),
    list: rowList(db, "trafficPackagePeriods", { equalIfSet: ["isOn"], order: { months: "asc" } }),
  };
}
