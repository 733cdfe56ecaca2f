import { anyOf, type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  nodeRegions: LiveTable<{
    name: string;
    description: string;
    isOn: DefaultFlag;
    /** Regions are listed in descending order of this number. */
    order: Generated<bigint>;
  }>;
  nodeRegionPrices: { nodeRegionId: bigint; nodePriceItemId: bigint; price: bigint };
}

export type NodeRegionRow = Selectable<Tables["nodeRegions"]>;

/** Returns the statements of this plugin. */
export function nodeRegionStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "nodeRegions", errors.not_found),
    insert: db.insert("nodeRegions", ["name", "description"]),
    update: db.update("nodeRegions", ["name", "description", "isOn"]),
    setOrder: db.update("nodeRegions", ["order"]),
    list: rowList(db, "nodeRegions", { equalIfSet: ["isOn"], order: { order: "desc", id: "asc" } }),

    setPrice: db.put("nodeRegionPrices", ["nodeRegionId", "nodePriceItemId"], [
      "nodeRegionId",
      "nodePriceItemId",
      "price",
    ]),
    deletePrice: db.query((q, p: { nodeRegionId: bigint; nodePriceItemId: bigint }) =>
      q.deleteFrom("nodeRegionPrices").where("nodeRegionId", "=", p.nodeRegionId)
        .where("nodePriceItemId", "=", p.nodePriceItemId)
    ),
    pricesOf: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeRegionPrices").selectAll().where("nodeRegionId", "in", anyOf(p.ids)).orderBy("nodePriceItemId")
    ),
    allPrices: db.query((q) => q.selectFrom("nodeRegionPrices").selectAll()),
    namesWithPriceItem: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("nodeRegionPrices").innerJoin("nodeRegions", "id", "nodeRegionId").select("name")
        .where("nodePriceItemId", "=", p.id).where("state", "=", 1n).limit(p.limit)
    ),
  };
}

export type NodeRegionStore = ReturnType<typeof nodeRegionStore>;
