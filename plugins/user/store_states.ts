import { anyOf, type Db } from "edgehelm";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { UserState } from "./contract.ts";
import type { Tables } from "./store.ts";

/** A user whose stored state is not the derived one. */
export interface StateChange {
  readonly id: bigint;
  /** Empty for a new user. */
  readonly before: UserState | "";
  readonly after: UserState;
}

interface Derivation {
  /** Those of the users that owe what is overdue. */
  readonly overdue: readonly bigint[];
}

/** Users by their ids, both ends included. */
export interface UserRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** The SQL statements that read and derive the states of users. */
export function stateStore(db: Db<Tables>) {
  /** The only place where a state is derived; the order is that of the contract. */
  const derived = ({ overdue }: Derivation) =>
    sql<UserState>`case
      when state = 0 then 'deleted'
      when isRejected = 1 then 'rejected'
      when isOn = 0 then 'off'
      when id in ${anyOf(overdue)} then 'suspended'
      when isVerified = 0 then 'unverified'
      else 'verified' end`;

  return {
    ofIds: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("users").select(["id", "userState"]).where("id", "in", anyOf(p.ids))
    ),
    allowed: db.query((q, p: { ids: readonly bigint[]; states: readonly string[] }) =>
      q.selectFrom("users").select("id").where("id", "in", anyOf(p.ids)).where(
        sql<SqlBool>`userState in ${anyOf(p.states)}`,
      )
    ),
    /** Selects the user after the next `before` users who are not deleted, or no row if there are fewer. */
    endOfNext: db.query((q, p: { after: bigint; before: number }) =>
      q.selectFrom("users").select("id").where("state", "=", 1n).where("id", ">", p.after).orderBy("id").limit(1)
        .offset(p.before)
    ),
    changing: db.query((q: Kysely<Tables>, p: Derivation & { ids: readonly bigint[] }) =>
      q.selectFrom(
        q.selectFrom("users").select(["id", "userState as before", derived(p).as("after")])
          .where("id", "in", anyOf(p.ids)).as("derived"),
      ).selectAll().whereRef("before", "<>", "after")
    ),
    /** Selects those of the users who are not deleted. */
    changingWithin: db.query((q: Kysely<Tables>, p: Derivation & UserRange) =>
      q.selectFrom(
        q.selectFrom("users").select(["id", "userState as before", derived(p).as("after")])
          .where("state", "=", 1n).where("id", ">=", p.first).where("id", "<=", p.last).as("derived"),
      ).selectAll().whereRef("before", "<>", "after")
    ),
    set: db.update("users", ["userState"]),
  };
}

export type StateStore = ReturnType<typeof stateStore>;
