import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  trafficPackagePeriods: {
    id: Generated<bigint>;
    count: bigint;
    unit: string;
    months: bigint;
    isOn: DefaultFlag;
    state: Generated<bigint>;
  };
}

export type TrafficPackagePeriodRow = Selectable<Tables["trafficPackagePeriods"]>;

/** The SQL statements of this plugin. */
export function trafficPackagePeriodStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "trafficPackagePeriods", errors.not_found),
    /** Returns no row if a period of the same length exists. */
    insert: db.query((q, p: { count: bigint; unit: string; months: bigint }) =>
      q.insertInto("trafficPackagePeriods").values({ count: p.count, unit: p.unit, months: p.months })
        .onConflict((conflict) => conflict.doNothing()).returning("id")
    ),
    setOn: db.query((q, p: { id: bigint; isOn: boolean }) =>
      q.updateTable("trafficPackagePeriods").set({ isOn: p.isOn }).where("id", "=", p.id)
    ),
    all: db.query((q) => q.selectFrom("trafficPackagePeriods").selectAll().where("state", "=", 1n).orderBy("months")),
  };
}

export type TrafficPackagePeriodStore = ReturnType<typeof trafficPackagePeriodStore>;
