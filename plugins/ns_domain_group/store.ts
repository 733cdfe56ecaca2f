import { type Db, type DefaultFlag, ownedRows } from "edgehelm";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  nsDomainGroups: {
    id: Generated<bigint>;
    userId: bigint;
    name: string;
    isOn: DefaultFlag;
    state: Generated<bigint>;
  };
}

export type NSDomainGroupRow = Selectable<Tables["nsDomainGroups"]>;

/** Returns the statements of this plugin. The groups of the installation have the user id 0. */
export function nsDomainGroupStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "nsDomainGroups", errors.not_found),
    insert: db.query((q, p: { userId: bigint; name: string }) =>
      q.insertInto("nsDomainGroups").values({ userId: p.userId, name: p.name }).returning("id")
    ),
    update: db.query((q, p: { id: bigint; name: string; isOn: boolean }) =>
      q.updateTable("nsDomainGroups").set({ name: p.name, isOn: p.isOn }).where("id", "=", p.id)
    ),
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
