import { type Db, type DefaultFlag, ownedRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { errors } from "./errors.ts";

export interface Tables {
  nsDomainGroups: LiveTable<{ userId: bigint; name: string; isOn: DefaultFlag }>;
}

/** Returns the statements of this plugin. The groups of the installation have the user id 0. */
export function nsDomainGroupStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "nsDomainGroups", errors.not_found),
    insert: db.insert("nsDomainGroups", ["userId", "name"]),
    update: db.update("nsDomainGroups", ["name", "isOn"]),
    list: rowList(db, "nsDomainGroups", { equal: ["userId"], equalIfSet: ["isOn"], order: { id: "desc" } }),
  };
}

export type NSDomainGroupStore = ReturnType<typeof nsDomainGroupStore>;
