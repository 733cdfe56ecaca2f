import { anyOf, type Db } from "edgehelm";
import { type Selectable, sql } from "kysely";
import type { Tables } from "./store.ts";

export type DebtRow = Selectable<Tables["userAccountDebts"]>;

/** The SQL statements of debts. */
export function debtStore(db: Db<Tables>) {
  return {
    insert: db.insert("userAccountDebts", [
      "userAccountId",
      "amount",
      "eventType",
      "description",
      "paramsJSON",
      "createdAt",
    ]),
    oldest: db.query((q, p: { id: bigint }) =>
      q.selectFrom("userAccountDebts").selectAll().where("userAccountId", "=", p.id).orderBy("id").limit(1)
    ),
    reduce: db.update("userAccountDebts", ["amount"]),
    remove: db.query((q, p: { id: bigint }) => q.deleteFrom("userAccountDebts").where("id", "=", p.id)),
    removeAll: db.query((q, p: { id: bigint }) => q.deleteFrom("userAccountDebts").where("userAccountId", "=", p.id)),
    sums: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("userAccountDebts").select(["userAccountId", sql<bigint>`sum(amount)`.as("amount")])
        .where("userAccountId", "in", anyOf(p.ids)).groupBy("userAccountId")
    ),
    overdue: db.query((q, p: { ids: readonly bigint[]; before: bigint }) =>
      q.selectFrom("userAccountDebts").select("userAccountId").distinct().where("userAccountId", "in", anyOf(p.ids))
        .where("createdAt", "<", p.before)
    ),
    overdueWithin: db.query((q, p: { first: bigint; last: bigint; before: bigint }) =>
      q.selectFrom("userAccountDebts").select("userAccountId").distinct().where("userAccountId", ">=", p.first)
        .where("userAccountId", "<=", p.last).where("createdAt", "<", p.before)
    ),
  };
}

export type DebtStore = ReturnType<typeof debtStore>;
