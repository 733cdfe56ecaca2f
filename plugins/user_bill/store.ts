import { anyOf, type Call, type Db, type DefaultFlag, ownedRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export type PricePeriod = "daily" | "monthly";

export interface Tables {
  userBills: LiveTable<{
    userId: bigint;
    type: string;
    pricePeriod: PricePeriod;
    /** Such as 202601. */
    month: string;
    /** Such as 2026-01-31. */
    dayFrom: string;
    dayTo: string;
    description: string;
    /** In hundredths of the currency unit. */
    amount: bigint;
    isPaid: bigint;
    paidAt: bigint;
    code: string;
    createdAt: bigint;
    /** True if the event of its delay was emitted. */
    isOverdueTold: DefaultFlag;
    /** True if the event of its reminder was emitted. */
    isDueTold: DefaultFlag;
  }>;
  /** The number of bills, maintained by triggers. */
  userBillCounts: { month: string; isPaid: bigint; n: bigint };
  /** The days and months that were billed automatically. */
  userBillRuns: { period: string; finishedAt: bigint };
}

export type UserBillRow = Selectable<Tables["userBills"]>;

/** A bill to create or update. */
export type NewUserBill = Pick<UserBillRow, "userId" | "dayFrom" | "dayTo" | "description" | "amount">;

/** A bill that was created or changed. */
export type PutBill = Pick<UserBillRow, "id" | "userId" | "dayFrom">;

/** The common properties of the bills of a run. */
export interface BillRun {
  readonly pricePeriod: PricePeriod;
  readonly month: string;
  /** The current time in Unix seconds. */
  readonly now: bigint;
  /** The current time such as 20260131235959, the prefix of bill codes. */
  readonly stamp: string;
}

/** The only type of bills. */
export const TRAFFIC = "traffic";

const COLUMNS = [
  "id",
  "userId",
  "type",
  "pricePeriod",
  "month",
  "dayFrom",
  "dayTo",
  "description",
  "amount",
  "isPaid",
  "paidAt",
  "code",
  "createdAt",
] as const;

// bills are passed as one JSON array, because one statement per bill would be one round trip per bill
const nextId = sql<bigint>`(select coalesce(max(id), 0) from userBills) + 1 + made.key`;
const userId = sql<bigint>`cast(made.value ->> 'userId' as integer)`;
const amount = sql<bigint>`cast(made.value ->> 'amount' as integer)`;
const text = (name: "dayFrom" | "dayTo" | "description") => sql<string>`made.value ->> ${sql.lit(name)}`;

/** The SQL statements that create, pay and find bills. */
export function userBillStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("userBills").selectAll().where("state", "=", 1n);

  /**
   * Creates bills, or updates existing unpaid ones of the same users and days. Skips a bill if one of the other price
   * period covers any of its days, which a concurrent run may have created.
   */
  const put = db.query((q, p: BillRun & { made: string }) =>
    q.insertInto("userBills").columns(COLUMNS).expression(
      q.selectFrom(sql<{ key: bigint; value: string }>`json_each(${p.made})`.as("made")).select([
        nextId.as("id"),
        userId.as("userId"),
        sql`${TRAFFIC}`.as("type"),
        sql`${p.pricePeriod}`.as("pricePeriod"),
        sql`${p.month}`.as("month"),
        text("dayFrom").as("dayFrom"),
        text("dayTo").as("dayTo"),
        text("description").as("description"),
        amount.as("amount"),
        // a bill with the amount 0 is paid from the start
        sql`${amount} = 0`.as("isPaid"),
        sql`iif(${amount} = 0, ${p.now}, 0)`.as("paidAt"),
        // unique below a million bills per second, because ids are never reused
        sql`${p.stamp} || printf('%06d', (${nextId}) % 1000000)`.as("code"),
        sql`${p.now}`.as("createdAt"),
      ]).where(({ not, exists }) =>
        not(exists(
          q.selectFrom("userBills").select("id").where("userId", "=", userId).where("month", "=", p.month)
            .where("type", "=", TRAFFIC).where("pricePeriod", "<>", p.pricePeriod)
            .where("dayFrom", "<=", text("dayTo")).where("dayTo", ">=", text("dayFrom")).where("state", "=", 1n),
        ))
      ),
    ).onConflict((conflict) =>
      conflict.columns(["userId", "month", "type", "pricePeriod", "dayFrom"]).where("state", "=", 1n)
        .doUpdateSet((set) => ({
          dayTo: set.ref("excluded.dayTo"),
          description: set.ref("excluded.description"),
          amount: set.ref("excluded.amount"),
          isPaid: set.ref("excluded.isPaid"),
          paidAt: set.ref("excluded.paidAt"),
        }))
        .where(sql<SqlBool>`(userBills.isPaid = 0 or userBills.amount = 0)
          and (userBills.amount, userBills.description) <> (excluded.amount, excluded.description)`)
    ).returning(["id", "userId", "dayFrom"])
  );

  return {
    ...ownedRows(db, "userBills", errors.not_found),
    /** Returns the bills that were created or changed. */
    put(call: Call, run: BillRun, bills: readonly NewUserBill[]): Promise<PutBill[]> {
      const made = bills.map(({ userId, dayFrom, dayTo, description, amount }) => ({
        ...{ userId: String(userId), amount: String(amount) },
        ...{ dayFrom, dayTo, description },
      }));
      return put.all(call, { ...run, made: JSON.stringify(made) });
    },
    /** Selects the bills that may be changed: unpaid ones, and those that charged nothing. */
    changeable: db.query((q, p: { ids: bigint[] }) =>
      live(q).clearSelect().select("id").where("id", "in", anyOf(p.ids))
        .where(sql<SqlBool>`(isPaid = 0 or amount = 0)`)
    ),
    /** Marks a bill as paid. Returns no row if it was already paid. */
    pay: db.query((q, p: { id: bigint; now: bigint }) =>
      q.updateTable("userBills").set({ isPaid: 1n, paidAt: p.now }).where("id", "=", p.id).where("isPaid", "=", 0n)
        .where("state", "=", 1n).returningAll()
    ),
    byCode: db.query((q, p: { code: string }) => live(q).where("code", "=", p.code)),
    sumUnpaid: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("userBills").select(sql<bigint>`coalesce(sum(amount), 0)`.as("amount"))
        .where("userId", "=", p.userId).where("isPaid", "=", 0n).where("state", "=", 1n)
    ),
    /** Selects those of the users with unpaid bills that were made before a time. */
    overdue: db.query((q, p: { userIds: readonly bigint[]; before: bigint }) =>
      q.selectFrom(sql<{ value: bigint }>`${anyOf(p.userIds)}`.as("user")).select("user.value as userId").distinct()
        .where((e) =>
          e.exists(
            e.selectFrom("userBills").select("userBills.id").whereRef("userBills.userId", "=", "user.value")
              .where("isPaid", "=", 0n).where("state", "=", 1n).where("createdAt", "<", p.before),
          )
        )
    ),
    overdueWithin: db.query((q, p: { first: bigint; last: bigint; before: bigint }) =>
      q.selectFrom("userBills").select("userId").distinct().where("userId", ">=", p.first).where("userId", "<=", p.last)
        .where("isPaid", "=", 0n).where("state", "=", 1n).where("createdAt", "<", p.before)
    ),
    overdueTold: told(db, "isOverdueTold"),
    dueTold: told(db, "isDueTold"),
    removeSomeUnpaid: db.query((q, p: { userId: bigint; limit: number }) =>
      q.updateTable("userBills").set({ state: 0n }).where(
        "id",
        "in",
        (query) =>
          query.selectFrom("userBills").select("id").where("userId", "=", p.userId).where("isPaid", "=", 0n)
            .where("state", "=", 1n).limit(p.limit),
      )
    ),

    /** Selects users with bills that begin within a range of days, in ascending order. */
    billedUsers: db.query((
      q,
      p: { pricePeriod: PricePeriod; month: string; from: string; to: string; after: bigint; limit: number },
    ) =>
      q.selectFrom("userBills").select("userId").distinct().where("pricePeriod", "=", p.pricePeriod)
        .where("month", "=", p.month).where("userId", ">", p.after).where("dayFrom", ">=", p.from)
        .where("dayFrom", "<=", p.to).where("state", "=", 1n).orderBy("userId").limit(p.limit)
    ),
    /** Selects the last period that was billed automatically, by the length of its name: 6 for months, 10 for days. */
    lastRun: db.query((q, p: { length: number }) =>
      q.selectFrom("userBillRuns").select(sql<string | null>`max(period)`.as("period"))
        .where(sql<SqlBool>`length(period) = ${p.length}`)
    ),
    endRun: db.query((q, p: Tables["userBillRuns"]) =>
      q.replaceInto("userBillRuns").values({ period: p.period, finishedAt: p.finishedAt })
    ),
  };
}

export type UserBillStore = ReturnType<typeof userBillStore>;

/** The statements on unpaid bills that were made before a time and of which there was no event yet, by its flag. */
function told(db: Db<Tables>, flag: "isOverdueTold" | "isDueTold") {
  return {
    missing: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("userBills").select(["id", "userId", "code", "amount", "createdAt"]).where(sql<SqlBool>`isPaid = 0`)
        .where(sql<SqlBool>`${sql.ref(flag)} = 0`).where(sql<SqlBool>`state = 1`).where("createdAt", "<", p.before)
        .orderBy("createdAt").limit(p.limit)
    ),
    mark: db.query((q, p: { ids: readonly bigint[] }) =>
      q.updateTable("userBills").set({ [flag]: 1n }).where("id", "in", anyOf(p.ids))
    ),
  };
}
