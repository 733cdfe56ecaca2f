import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  nodePriceItems: {
    id: Generated<bigint>;
    name: string;
    type: string;
    bitsFrom: bigint;
    /** 0 means unbounded. */
    bitsTo: bigint;
    isOn: DefaultFlag;
    state: Generated<bigint>;
  };
}

export type NodePriceItemRow = Selectable<Tables["nodePriceItems"]>;

/** Returns the statements of this plugin. */
export function nodePriceItemStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "nodePriceItems", errors.not_found),
    insert: db.query((q, p: { name: string; type: string; bitsFrom: bigint; bitsTo: bigint }) =>
      q.insertInto("nodePriceItems").values({ name: p.name, type: p.type, bitsFrom: p.bitsFrom, bitsTo: p.bitsTo })
        .returning("id")
    ),
    update: db.query((q, p: { id: bigint; name: string; bitsFrom: bigint; bitsTo: bigint; isOn: boolean }) =>
      q.updateTable("nodePriceItems")
        .set({ name: p.name, bitsFrom: p.bitsFrom, bitsTo: p.bitsTo, isOn: p.isOn }).where("id", "=", p.id)
    ),
    ofType: db.query((q, p: { type: string }) =>
      q.selectFrom("nodePriceItems").selectAll().where("type", "=", p.type).where("state", "=", 1n)
        .orderBy("bitsFrom").orderBy("id")
    ),
  };
}

export type NodePriceItemStore = ReturnType<typeof nodePriceItemStore>;
