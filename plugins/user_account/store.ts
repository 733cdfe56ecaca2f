import { anyOf, type Db, type Page, rowCount } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";

export interface Tables {
  userAccounts: {
    /** The user's. */
    id: bigint;
    /** In hundredths of the currency. */
    total: Generated<bigint>;
    state: Generated<bigint>;
  };
  userAccountLogs: {
    id: Generated<bigint>;
    userAccountId: bigint;
    delta: bigint;
    total: bigint;
    eventType: string;
    description: string;
    paramsJSON: Uint8Array;
    createdAt: bigint;
    state: Generated<bigint>;
  };
}

export type UserAccountLogRow = Selectable<Tables["userAccountLogs"]>;
export type NewUserAccountLog = Omit<UserAccountLogRow, "id" | "state">;

/** What a search of logs is for; "" stands for any. */
export interface LogFilter {
  readonly userAccountId: bigint;
  readonly eventType: string;
  /** Made by `containing`. */
  readonly pattern: string;
}

/** An account must stay below what messages carry exactly. */
const END_OF_TOTAL = 10n ** 15n;

/** All SQL of this plugin. */
export function userAccountStore(db: Db<Tables>) {
  const accounts = (q: Kysely<Tables>) => q.selectFrom("userAccounts").select(["id", "total"]).where("state", "=", 1n);

  /** Page and count of logs; each shape of filter has statements of its own, so that each finds its index. */
  function logs(isOfAccount: boolean, isSearch: boolean) {
    const filtered = (q: Kysely<Tables>, p: LogFilter) =>
      q.selectFrom("userAccountLogs").where("state", "=", 1n)
        .$if(isOfAccount, (one) => one.where("userAccountId", "=", p.userAccountId))
        .$if(isSearch, (one) =>
          one.where(sql<boolean>`${p.eventType} in ('', eventType)`)
            .where(sql<boolean>`description like ${p.pattern} escape '\\'`));
    return {
      page: db.query((q, p: LogFilter & Page) =>
        filtered(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
      ),
      count: db.query((q, p: LogFilter) => filtered(q, p).select(rowCount)),
    };
  }

  return {
    open: db.query((q, p: { id: bigint }) =>
      q.insertInto("userAccounts").values({ id: p.id }).onConflict((conflict) => conflict.doNothing())
    ),
    /** No row when the account would fall below zero or rise too high. */
    move: db.query((q, p: { id: bigint; delta: bigint }) =>
      q.updateTable("userAccounts").set({ total: sql<bigint>`total + ${p.delta}` }).where("id", "=", p.id)
        .where(sql<boolean>`total + ${p.delta} between 0 and ${END_OF_TOTAL - 1n}`).returning("total")
    ),
    log: db.query((q, p: NewUserAccountLog) =>
      q.insertInto("userAccountLogs").values({
        userAccountId: p.userAccountId,
        delta: p.delta,
        total: p.total,
        eventType: p.eventType,
        description: p.description,
        paramsJSON: p.paramsJSON,
        createdAt: p.createdAt,
      })
    ),
    byId: db.query((q, p: { id: bigint }) => accounts(q).where("id", "=", p.id)),
    byIds: db.query((q, p: { ids: bigint[] }) => accounts(q).where("id", "in", anyOf(p.ids))),
    page: db.query((q, p: Page) => accounts(q).orderBy("id", "desc").limit(p.size).offset(p.offset)),
    pageOfIds: db.query((q, p: Page & { ids: bigint[] }) =>
      accounts(q).where("id", "in", anyOf(p.ids)).orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    count: db.query((q) => q.selectFrom("userAccounts").select(rowCount).where("state", "=", 1n)),
    countOfIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("userAccounts").select(rowCount).where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
    ),
    logs: { ofAccount: logs(true, false), ofAll: logs(false, false) },
    searches: { ofAccount: logs(true, true), ofAll: logs(false, true) },
    removeSomeLogs: db.query((q, p: { userAccountId: bigint; limit: number }) =>
      q.updateTable("userAccountLogs").set({ state: 0n }).where(
        "id",
        "in",
        (some) =>
          some.selectFrom("userAccountLogs").select("id").where("userAccountId", "=", p.userAccountId)
            .where("state", "=", 1n).limit(p.limit),
      )
    ),
    remove: db.query((q, p: { id: bigint }) => q.updateTable("userAccounts").set({ state: 0n }).where("id", "=", p.id)),
  };
}

export type UserAccountStore = ReturnType<typeof userAccountStore>;
