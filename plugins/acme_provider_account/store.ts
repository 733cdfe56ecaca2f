import { type Db, type DefaultFlag, isLive, ownedRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Generated, Kysely, Selectable } from "kysely";
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
  const live = (q: Kysely<Tables>) => q.selectFrom("acmeProviderAccounts").where(isLive);
  const rows = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");

  return {
    ...ownedRows(db, "acmeProviderAccounts", errors.not_found),
    insert: db.insert("acmeProviderAccounts", ["userId", "name", "providerCode", "eabKid", "sealedKey"]),
    // The last error belongs to the previous binding.
    update: db.query((q, p: Binding & { id: bigint; name: string }) =>
      q.updateTable("acmeProviderAccounts")
        .set({ name: p.name, eabKid: p.eabKid, sealedKey: p.sealedKey, error: "" })
        .where("id", "=", p.id).where(isLive)
    ),
    remove: db.query((q, p: { id: bigint }) =>
      q.updateTable("acmeProviderAccounts").set({ state: 0n, sealedKey: "" }).where("id", "=", p.id)
    ),
    ofProvider: db.query((q, p: { userId: bigint; providerCode: string }) =>
      rows(q).where("userId", "=", p.userId).where("providerCode", "=", p.providerCode)
    ),
    page: db.query((q, p: Page & { userId: bigint }) =>
      rows(q).where("userId", "=", p.userId).limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: { userId: bigint }) => live(q).select(rowCount).where("userId", "=", p.userId)),
  };
}

export type AccountStore = ReturnType<typeof accountStore>;
