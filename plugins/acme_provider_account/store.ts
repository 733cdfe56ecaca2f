import { type Db, type DefaultFlag, ownedRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  acmeProviderAccounts: LiveTable<{
    /** 0 for accounts of the installation. */
    userId: bigint;
    isOn: DefaultFlag;
    name: string;
    providerCode: string;
    eabKid: string;
    /** Sealed for the provider and the key id; empty if there is no key. */
    sealedKey: string;
    error: Generated<string>;
  }>;
}

export type AccountRow = Selectable<Tables["acmeProviderAccounts"]>;
/** The stored form of an external account binding. */
export type Binding = Pick<AccountRow, "eabKid" | "sealedKey">;

/** Defines all SQL statements of this plugin. */
export function accountStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "acmeProviderAccounts", errors.not_found),
    insert: db.insert("acmeProviderAccounts", ["userId", "name", "providerCode", "eabKid", "sealedKey"]),
    // The last error belongs to the previous binding.
    update: db.updateLive("acmeProviderAccounts", ["name", "eabKid", "sealedKey"], { error: "" }),
    remove: db.update("acmeProviderAccounts", [], { state: 0n, sealedKey: "" }),
    list: rowList(db, "acmeProviderAccounts", { equal: ["userId"], order: { id: "desc" } }),
    listOfProvider: rowList(db, "acmeProviderAccounts", { equal: ["userId", "providerCode"], order: { id: "desc" } }),
  };
}

export type AccountStore = ReturnType<typeof accountStore>;
