import { type Db, type DefaultFlag, ownedRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  nsDomainGroups: LiveTable<{ userId: bigint; name: string; isOn: DefaultFlag }>;
}

export type NSDomainGroupRow = Selectable<Tables["nsDomainGroups"]>;

/** Returns the statements of this plugin. The groups of the installation have the user id 0. */
export function nsDomainGroupStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "nsDomainGroups", errors.not_found),
    insert: db.insert("nsDomainGroups", ["userId", "name"]),
    update: db.update("nsDomainGroups", ["name", "isOn"]),
    ofUser: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("nsDomainGroups").selectAll().where("userId", "=", p.userId).where("state", "=", 1n)
        .orderBy("id", "desc")
    ),
    softDeleteSomeOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.updateTable("nsDomainGroups").set({ state: 0n })
        .where(
          "id",
          "in",
          (batch) =>
            batch.selectFrom("nsDomainGroups").select("id").where("userId", "=", p.userId).where("state", "=", 1n)
              .limit(p.limit),
        )
    ),
  };
}

export type NSDomainGroupStore = ReturnType<typeof nsDomainGroupStore>;
