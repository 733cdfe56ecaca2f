import { type Db, type DefaultFlag, isLive, ownedRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { type Generated, type Selectable, sql } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  acmeProviderAccounts: LiveTable<{
    /** 0 for accounts of the installation. */
    userId: bigint;
    isOn: DefaultFlag;
    name: string;
    providerCode: string;
    email: string;
    eabKid: string;
    /** Sealed for the provider and the key id; empty if there is no key. */
    sealedKey: string;
    /** An error of an earlier release; those of registrations are with these. */
    error: Generated<string>;
    /** 0 for an account of an earlier release that is not registered yet. */
    registrationId: bigint;
  }>;
}

export type AccountRow = Selectable<Tables["acmeProviderAccounts"]>;
/** The stored form of an external account binding. */
export type Binding = Pick<AccountRow, "eabKid" | "sealedKey">;

/** Defines the SQL statements on accounts. */
export function accountStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "acmeProviderAccounts", errors.not_found),
    insert: db.insert("acmeProviderAccounts", [
      "userId",
      "name",
      "providerCode",
      "email",
      "eabKid",
      "sealedKey",
      "registrationId",
    ]),
    update: db.updateLive("acmeProviderAccounts", ["name", "email", "eabKid", "sealedKey"], { error: "" }),
    setRegistration: db.updateLive("acmeProviderAccounts", ["registrationId"]),
    remove: db.update("acmeProviderAccounts", [], { state: 0n, sealedKey: "" }),
    list: rowList(db, "acmeProviderAccounts", { equal: ["userId"], order: { id: "desc" } }),
    listOfProvider: rowList(db, "acmeProviderAccounts", { equal: ["userId", "providerCode"], order: { id: "desc" } }),
    unregistered: db.query((q, p: { limit: number }) =>
      q.selectFrom("acmeProviderAccounts").selectAll().where(isLive).where("registrationId", "=", sql.lit(0n))
        .orderBy("id").limit(p.limit)
    ),
  };
}

export type AccountStore = ReturnType<typeof accountStore>;
