import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  trafficPackages: {
    id: Generated<bigint>;
    size: bigint;
    unit: string;
    bytes: bigint;
    isOn: DefaultFlag;
    state: Generated<bigint>;
  };
}

export type TrafficPackageRow = Selectable<Tables["trafficPackages"]>;

/** The SQL statements of this plugin. */
export function trafficPackageStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "trafficPackages", errors.not_found),
    /** Returns no row if a package of the same size exists. */
    insert: db.query((q, p: { size: bigint; unit: string; bytes: bigint }) =>
      q.insertInto("trafficPackages").values({ size: p.size, unit: p.unit, bytes: p.bytes })
        .onConflict((conflict) => conflict.doNothing()).returning("id")
    ),
    setOn: db.query((q, p: { id: bigint; isOn: boolean }) =>
      q.updateTable("trafficPackages").set({ isOn: p.isOn }).where("id", "=", p.id)
    ),
    all: db.query((q) => q.selectFrom("trafficPackages").selectAll().where("state", "=", 1n).orderBy("bytes")),
  };
}

export type TrafficPackageStore = ReturnType<typeof trafficPackageStore>;
