import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { errors } from "./errors.ts";

export interface Tables {
  reportNodeGroups: LiveTable<{ name: string; isOn: DefaultFlag }>;
}

export type ReportNodeGroupStore = ReturnType<typeof reportNodeGroupStore>;

export function reportNodeGroupStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "reportNodeGroups", errors.not_found),
    insert: db.insert("reportNodeGroups", ["name"]),
    update: db.update("reportNodeGroups", ["name"]),
    list: rowList(db, "reportNodeGroups", { order: { id: "desc" } }),
  };
}
