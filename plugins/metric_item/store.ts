import { type Db, type DefaultFlag, type Flag, isLive, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  metricItems: LiveTable<{
    isOn: DefaultFlag;
    code: string;
    category: string;
    name: string;
    /** A JSON array. */
    keys: string;
    period: Int32;
    periodUnit: string;
    expiresPeriod: Int32;
    value: string;
    isPublic: Flag;
  }>;
}

export type MetricItemRow = Selectable<Tables["metricItems"]>;

const SETTINGS = ["name", "keys", "period", "periodUnit", "expiresPeriod", "value", "isPublic"] as const;

export type MetricItemStore = ReturnType<typeof metricItemStore>;

export function metricItemStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "metricItems", errors.not_found),
    insert: db.insertUnique("metricItems", [...SETTINGS, "code", "category"]),
    update: db.update("metricItems", [...SETTINGS, "isOn"]),
    list: rowList(db, "metricItems", { equalIfSet: ["category"], order: { id: "desc" } }),
    public: db.query((q) =>
      q.selectFrom("metricItems").selectAll().where(isLive).where("isPublic", "=", 1n).where("isOn", "=", 1n).orderBy(
        "id",
      )
    ),
  };
}
