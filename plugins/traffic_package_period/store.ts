import { anyOf, type Db, type DefaultFlag } from "edgehelm";
import type { Generated, Selectable } from "kysely";

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

/** All SQL of this plugin. */
export function trafficPackagePeriodStore(db: Db<Tables>) {
  return {
    /** No row when there is one of as many months. */
    insert: db.query((q, p: { count: bigint; unit: string; months: bigint }) =>
      q.insertInto("trafficPackagePeriods").values({ count: p.count, unit: p.unit, months: p.months })
        .onConflict((conflict) => conflict.doNothing()).returning("id")
    ),
    setOn: db.query((q, p: { id: bigint; isOn: boolean }) =>
      q.updateTable("trafficPackagePeriods").set({ isOn: p.isOn }).where("id", "=", p.id)
    ),
    remove: db.query((q, p: { id: bigint }) =>
      q.updateTable("trafficPackagePeriods").set({ state: 0n }).where("id", "=", p.id)
    ),
    byId: db.query((q, p: { id: bigint }) =>
      q.selectFrom("trafficPackagePeriods").selectAll().where("id", "=", p.id).where("state", "=", 1n)
    ),
    byIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("trafficPackagePeriods").selectAll().where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
    ),
    all: db.query((q) => q.selectFrom("trafficPackagePeriods").selectAll().where("state", "=", 1n).orderBy("months")),
  };
}

export type TrafficPackagePeriodStore = ReturnType<typeof trafficPackagePeriodStore>;
