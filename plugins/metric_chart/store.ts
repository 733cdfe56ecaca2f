import { type Db, type DefaultFlag, type Flag, isLive, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  metricCharts: LiveTable<{
    metricItemId: bigint;
    isOn: DefaultFlag;
    name: string;
    type: string;
    widthDiv: Int32;
    paramsJSON: Uint8Array;
    maxItems: Int32;
    ignoreEmptyKeys: Flag;
    /** A JSON array. */
    ignoredKeys: string;
  }>;
}

export type MetricChartRow = Selectable<Tables["metricCharts"]>;

const SETTINGS = ["name", "type", "widthDiv", "maxItems", "ignoreEmptyKeys", "ignoredKeys"] as const;

export type MetricChartStore = ReturnType<typeof metricChartStore>;

export function metricChartStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "metricCharts", errors.not_found),
    insert: db.insert("metricCharts", [...SETTINGS, "metricItemId", "paramsJSON"]),
    update: db.update("metricCharts", [...SETTINGS, "isOn", "paramsJSON"]),
    list: rowList(db, "metricCharts", { equalIfSet: ["metricItemId"], order: { id: "desc" } }),
    someOfItem: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("metricCharts").select("name").where("metricItemId", "=", p.id).where(isLive)
        .orderBy("id", "desc").limit(p.limit)
    ),
  };
}
