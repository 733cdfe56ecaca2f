import { anyOf, type Db, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import type { UserAccountExpense } from "./contract.ts";

export interface Tables {
  userAccounts: {
    /** The id of the user. */
    id: bigint;
    /** In hundredths of the currency unit. */
    total: Generated<bigint>;
    state: Generated<bigint>;
  };
  userAccountLogs: LiveTable<{
    userAccountId: bigint;
    delta: bigint;
    total: bigint;
    eventType: string;
    description: string;
    paramsJSON: Uint8Array;
    createdAt: bigint;
  }>;
  userAccountDebts: {
    id: Generated<bigint>;
    userAccountId: bigint;
    amount: bigint;
    eventType: UserAccountExpense;
    description: string;
    paramsJSON: Uint8Array;
    createdAt: bigint;
  };
}

export type UserAccountLogRow = Selectable<Tables["userAccountLogs"]>;
export type NewUserAccountLog = Omit<UserAccountLogRow, "id" | "state">;

/** The filter of logs; "" matches any. */
export interface LogFilter {
  readonly userAccountId: bigint;
  readonly eventType: string;
  /** Created by `containing`. */
  readonly pattern: string;
}

/** The expenses for something that is sold. */
const PURCHASES: readonly UserAccountExpense[] = ["buyPlan", "buyNSPlan", "buyTrafficPackage", "payBill"];
/** The maximum balance in hundredths, which messages can represent exactly. */
const MAX_TOTAL = 10n ** 15n - 1n;

/** The SQL statements of this plugin. */
export function userAccountStore(db: Db<Tables>) {
  const accounts = (q: Kysely<Tables>) => q.selectFrom("userAccounts").select(["id", "total"]).where("state", "=", 1n);

  /** Compiles the statements for a shape of filter; each shape uses a different index. */
  function logs(isOfAccount: boolean, isSearch: boolean) {
    const filtered = (q: Kysely<Tables>, p: LogFilter) =>
      q.selectFrom("userAccountLogs").where("state", "=", 1n)
        .$if(isOfAccount, (query) => query.where("userAccountId", "=", p.userAccountId))
        .$if(isSearch, (query) =>
          query.where(sql<boolean>`${p.eventType} in ('', eventType)`)
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
    /** Returns no row if the balance would become negative or exceed the maximum. */
    add: db.query((q, p: { id: bigint; delta: bigint }) =>
      q.updateTable("userAccounts").set({ total: sql<bigint>`total + ${p.delta}` }).where("id", "=", p.id)
        .where(sql<boolean>`total + ${p.delta} between 0 and ${MAX_TOTAL}`).returning("total")
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
    purchases: db.query((q, p: { id: bigint; from: bigint; to: bigint; limit: number }) =>
      q.selectFrom("userAccountLogs").select(["id", "delta", "description"]).where("userAccountId", "=", p.id)
        .where("state", "=", 1n).where("createdAt", ">=", p.from).where("createdAt", "<", p.to)
        .where("eventType", "in", [...PURCHASES]).orderBy("id").limit(p.limit)
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
        (query) =>
          query.selectFrom("userAccountLogs").select("id").where("userAccountId", "=", p.userAccountId)
            .where("state", "=", 1n).limit(p.limit),
      )
    ),
    remove: db.update("userAccounts", [], { state: 0n }),
  };
}

export type UserAccountStore = ReturnType<typeof userAccountStore>;
