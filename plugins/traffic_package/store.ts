import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import { errors } from "./errors.ts";

export interface Tables {
  trafficPackages: LiveTable<{ size: Int32; unit: string; bytes: bigint; isOn: DefaultFlag }>;
}

export type TrafficPackageStore = ReturnType<typeof trafficPackageStore>;

export function trafficPackageStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "trafficPackages", errors.not_found),
    insert: db.insertUnique("trafficPackages", ["size", "unit", "bytes"]),
    update: db.update("trafficPackages", ["isOn"]),
    list: rowList(db, "trafficPackages", { equalIfSet: ["isOn"], order: { bytes: "asc" } }),
  };
}
