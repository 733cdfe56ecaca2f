import { type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Int32, pick } from "edgehelm/storage";
import { type Kysely, type Selectable, sql } from "kysely";
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

/** The columns that an update replaces. */
export interface MetricChartFields {
  readonly name: string;
  readonly type: string;
  readonly widthDiv: number;
  readonly maxItems: number;
  readonly ignoreEmptyKeys: boolean;
  readonly ignoredKeys: string;
}

const SETTINGS = ["name", "type", "widthDiv", "maxItems", "ignoreEmptyKeys", "ignoredKeys"] as const;

/** Defines all SQL statements of this plugin. */
export function metricChartStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("metricCharts").where("state", "=", 1n);
  const newestFirst = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);

  return {
    ...liveRows(db, "metricCharts", errors.not_found),
    insert: db.insert("metricCharts", [...SETTINGS, "metricItemId", "paramsJSON"]),
    /** Null keeps paramsJSON. */
    update: db.query((q, p: MetricChartFields & { id: bigint; isOn: boolean; paramsJSON: Uint8Array | null }) =>
      q.updateTable("metricCharts").set({
        ...pick(p, SETTINGS),
        isOn: p.isOn,
        paramsJSON: sql`coalesce(${p.paramsJSON}, paramsJSON)`,
      }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    someOfItem: db.query((q, p: { metricItemId: bigint; limit: number }) =>
      newestFirst(q).where("metricItemId", "=", p.metricItemId).limit(p.limit)
    ),
    page: db.query((q, p: Page) => newestFirst(q).limit(p.size).offset(p.offset)),
    pageOfItem: db.query((q, p: Page & { metricItemId: bigint }) =>
      newestFirst(q).where("metricItemId", "=", p.metricItemId).limit(p.size).offset(p.offset)
    ),
    count: db.query((q) => countLive(q)),
    countOfItem: db.query((q, p: { metricItemId: bigint }) => countLive(q).where("metricItemId", "=", p.metricItemId)),
  };
}

export type MetricChartStore = ReturnType<typeof metricChartStore>;
