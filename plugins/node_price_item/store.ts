import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { errors } from "./errors.ts";

export interface Tables {
  nodePriceItems: LiveTable<{
    name: string;
    type: string;
    bitsFrom: bigint;
    /** 0 means unbounded. */
    bitsTo: bigint;
    isOn: DefaultFlag;
  }>;
}

/** Returns the statements of this plugin. */
export function nodePriceItemStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "nodePriceItems", errors.not_found),
    insert: db.insert("nodePriceItems", ["name", "type", "bitsFrom", "bitsTo"]),
    update: db.update("nodePriceItems", ["name", "bitsFrom", "bitsTo", "isOn"]),
    list: rowList(db, "nodePriceItems", {
      equal: ["type"],
      equalIfSet: ["isOn"],
      order: { bitsFrom: "asc", id: "asc" },
    }),
  };
}

export type NodePriceItemStore = ReturnType<typeof nodePriceItemStore>;
