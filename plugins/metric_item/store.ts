import { type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Int32 } from "edgehelm/storage";
import type { Kysely, Selectable } from "kysely";
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

/** The columns that an update replaces. */
export interface MetricItemFields {
  readonly name: string;
  readonly keys: string;
  readonly period: number;
  readonly periodUnit: string;
  readonly expiresPeriod: number;
  readonly value: string;
  readonly isPublic: boolean;
}

const SETTINGS = ["name", "keys", "period", "periodUnit", "expiresPeriod", "value", "isPublic"] as const;

/** Defines all SQL statements of this plugin. */
export function metricItemStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("metricItems").where("state", "=", 1n);
  const newestFirst = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);

  return {
    ...liveRows(db, "metricItems", errors.not_found),
    insert: db.insertUnique("metricItems", [...SETTINGS, "code", "category"]),
    update: db.update("metricItems", [...SETTINGS, "isOn"]),
    public: db.query((q) => live(q).selectAll().where("isPublic", "=", 1n).where("isOn", "=", 1n).orderBy("id")),
    page: db.query((q, p: Page) => newestFirst(q).limit(p.size).offset(p.offset)),
    pageOfCategory: db.query((q, p: Page & { category: string }) =>
      newestFirst(q).where("category", "=", p.category).limit(p.size).offset(p.offset)
    ),
    count: db.query((q) => countLive(q)),
    countOfCategory: db.query((q, p: { category: string }) => countLive(q).where("category", "=", p.category)),
  };
}

export type MetricItemStore = ReturnType<typeof metricItemStore>;
