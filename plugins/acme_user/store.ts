import { type Db, isLive, ownedRows } from "edgehelm";
import { type LiveTable, ownedCount, rowList } from "edgehelm/rows";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  acmeUsers: LiveTable<{
    /** 0 if the ACME user belongs to the installation. */
    userId: bigint;
    email: string;
    description: string;
    providerCode: string;
    /** 0 without an external account binding. */
    acmeProviderAccountId: bigint;
    /** Its own registration, or that of the account. */
    registrationId: bigint;
    createdAt: bigint;
  }>;
}

export type ACMEUserRow = Selectable<Tables["acmeUsers"]>;

/** Defines the SQL statements of this plugin. */
export function acmeUserStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "acmeUsers", errors.not_found),
    countOfUser: ownedCount(db, "acmeUsers"),
    insert: db.insert("acmeUsers", [
      "userId",
      "email",
      "description",
      "providerCode",
      "acmeProviderAccountId",
      "registrationId",
      "createdAt",
    ]),
    update: db.updateLive("acmeUsers", ["description"]),
    list: rowList(db, "acmeUsers", {
      equal: ["userId"],
      equalIfSet: ["acmeProviderAccountId", "providerCode"],
      order: { id: "desc" },
    }),
    usingAccount: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("acmeUsers").select("email").where("acmeProviderAccountId", "=", p.id).where(isLive).limit(p.limit)
    ),
  };
}

export type ACMEUserStore = ReturnType<typeof acmeUserStore>;
