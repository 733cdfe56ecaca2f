import { anyOf, type Db, isLive } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Generated, type Selectable, sql, type SqlBool } from "kysely";

export interface RegistrationTables {
  acmeRegistrations: LiveTable<{
    /** Random; secrets are sealed for it. */
    uniqueId: string;
    providerCode: string;
    /** The account whose external account binding is used; 0 for none. */
    acmeProviderAccountId: bigint;
    email: string;
    sealedKey: string;
    /** The key that is taking the place of the present one; empty if none is. */
    sealedNextKey: Generated<string>;
    /** Empty until the provider has registered the account. */
    url: Generated<string>;
    error: Generated<string>;
    /** The number of attempts that failed since the last success. */
    attempts: Generated<bigint>;
    /** The time of the next attempt in unix seconds; 0 for none. */
    dueAt: bigint;
    /** The time until which the provider asked to wait. */
    pausedUntil: Generated<bigint>;
  }>;
}

export type RegistrationRow = Selectable<RegistrationTables["acmeRegistrations"]>;

/** Defines the SQL statements on registrations. */
export function registrationStore(db: Db<RegistrationTables>) {
  return {
    byIds: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("acmeRegistrations").selectAll().where("id", "in", anyOf(p.ids)).where(isLive)
    ),
    due: db.query((q, p: { now: bigint; limit: number }) =>
      q.selectFrom("acmeRegistrations").select("id").where(isLive).where(sql<SqlBool>`dueAt > 0`)
        .where("dueAt", "<=", p.now).orderBy("dueAt").limit(p.limit)
    ),
    insert: db.insert("acmeRegistrations", [
      "uniqueId",
      "providerCode",
      "acmeProviderAccountId",
      "email",
      "sealedKey",
      "dueAt",
    ]),
    succeeded: db.update("acmeRegistrations", ["url", "email"], { error: "", attempts: 0n, dueAt: 0n }),
    failed: db.update("acmeRegistrations", ["error", "attempts", "dueAt", "url"]),
    pause: db.update("acmeRegistrations", ["pausedUntil"]),
    setNextKey: db.update("acmeRegistrations", ["sealedNextKey"]),
    setKey: db.update("acmeRegistrations", ["sealedKey"], { sealedNextKey: "" }),
    /** Starts again with a new key. */
    restart: db.update("acmeRegistrations", ["sealedKey", "email", "dueAt"], {
      sealedNextKey: "",
      url: "",
      error: "",
      attempts: 0n,
    }),
    setEmail: db.update("acmeRegistrations", ["email"]),
    makeDue: db.update("acmeRegistrations", ["dueAt"], { attempts: 0n }),
    removeAll: db.query((q, p: { ids: readonly bigint[] }) =>
      q.updateTable("acmeRegistrations").set({ state: 0n, sealedKey: "", sealedNextKey: "", dueAt: 0n })
        .where("id", "in", anyOf(p.ids))
    ),
  };
}

export type RegistrationStore = ReturnType<typeof registrationStore>;
