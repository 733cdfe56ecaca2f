import { anyOf, type Call, type Db } from "edgehelm";
import { type Generated, type Selectable, sql, type SqlBool } from "kysely";
import type { PricePeriod } from "./store.ts";

export interface ChargeTables {
  /** The amounts that bills charged for days of a user. */
  userBillCharges: {
    userId: bigint;
    /** Such as 2026-01-31; both included. */
    dayFrom: string;
    dayTo: string;
    /** 0 if nothing was charged and no bill was made. */
    billId: bigint;
    /** That of the bill; empty if the bill is of later days and corrects what was charged for these. */
    pricePeriod: PricePeriod | "";
    /** In hundredths of the currency unit. */
    amount: bigint;
    /** A text of `PriceBook`. */
    terms: string;
  };
  userBillPricings: { id: Generated<bigint>; text: string };
  /** Days whose traffic arrived after their bills were begun. Each upload increases the version. */
  userBillLateDays: { userId: bigint; day: string; version: bigint };
  /** Runs that were not finished: the last user that was billed, and when. */
  userBillProgress: { key: string; after: bigint; at: bigint };
  /** One row. Days are empty if there is none. */
  userBillScope: { id: bigint; billedFrom: string; billedTo: string; automaticSince: string };
}

/** The progress of an interrupted run, in the order of users. */
export type BillProgress = ChargeTables["userBillProgress"];
export type ChargeRow = Selectable<ChargeTables["userBillCharges"]>;
export type LateDay = Selectable<ChargeTables["userBillLateDays"]>;

const COLUMNS = ["userId", "dayFrom", "dayTo", "billId", "pricePeriod", "amount", "terms"] as const;
const INTEGERS: readonly string[] = ["userId", "billId", "amount"];

/** The SQL statements about what bills charged for which days. */
export function chargeStore(db: Db<ChargeTables>) {
  const put = db.query((q, p: { rows: string }) =>
    q.replaceInto("userBillCharges").columns([...COLUMNS]).expression((e) =>
      e.selectFrom(sql<{ value: string }>`json_each(${p.rows})`.as("row")).select(
        COLUMNS.map((name) => {
          const value = sql`row.value ->> ${sql.lit(name)}`;
          return (INTEGERS.includes(name) ? sql`cast(${value} as integer)` : value).as(name);
        }) as never,
      )
    )
  );

  return {
    /** Selects what was charged for days of the month, and of the months with late days before `before`. */
    ofMonths: db.query((q, p: { userIds: bigint[]; month: string; before: string }) =>
      q.with("months", (w) =>
        w.selectFrom(sql<{ value: bigint }>`json_each(${p.userIds})`.as("user"))
          .select(["user.value as userId", sql<string>`${p.month}`.as("month")])
          .union(
            w.selectFrom("userBillLateDays").select(["userId", sql<string>`substr(day, 1, 7)`.as("month")])
              .where("userId", "in", anyOf(p.userIds)).where("day", "<", p.before),
          ))
        .selectFrom("months").innerJoin("userBillCharges as c", (on) =>
          on.onRef("c.userId", "=", "months.userId")
            .on(sql<SqlBool>`c.dayFrom >= months.month || '-01' and c.dayFrom <= months.month || '-31'`))
        .select(COLUMNS.map((name) => `c.${name}` as const)).orderBy("c.userId").orderBy("c.dayFrom").orderBy(
          "c.billId",
        )
    ),
    ofBills: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("userBillCharges").select(COLUMNS).where("billId", "in", anyOf(p.ids))
    ),
    async put(call: Call, rows: readonly ChargeRow[]): Promise<void> {
      const plain = rows.map((row) => ({
        ...row,
        ...{ userId: String(row.userId), billId: String(row.billId), amount: String(row.amount) },
      }));
      await put.run(call, { rows: JSON.stringify(plain) });
    },
    /** Deletes what bills charged for their own days. */
    removeOwn: db.query((q, p: { billIds: bigint[] }) =>
      q.deleteFrom("userBillCharges").where("billId", "in", anyOf(p.billIds)).where("pricePeriod", "<>", "")
    ),

    addPricings: db.query((q, p: { texts: string[] }) =>
      q.insertInto("userBillPricings").columns(["text"])
        .expression((e) =>
          e.selectFrom(sql<{ value: string }>`json_each(${p.texts})`.as("row")).select("row.value")
            .where(sql<SqlBool>`true`)
        ).onConflict((conflict) => conflict.doNothing())
    ),
    pricingsOfTexts: db.query((q, p: { texts: string[] }) =>
      q.selectFrom("userBillPricings").selectAll().where("text", "in", anyOf(p.texts))
    ),
    pricingsOfIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("userBillPricings").selectAll().where("id", "in", anyOf(p.ids))
    ),

    addLateDays: db.query((q, p: { days: string }) =>
      q.insertInto("userBillLateDays").columns(["userId", "day", "version"])
        .expression((e) =>
          e.selectFrom(sql<{ value: string }>`json_each(${p.days})`.as("row")).select([
            sql<bigint>`cast(row.value ->> 0 as integer)`.as("userId"),
            sql<string>`row.value ->> 1`.as("day"),
            sql<bigint>`1`.as("version"),
          ]).where(sql<SqlBool>`true`)
        ).onConflict((conflict) =>
          conflict.columns(["userId", "day"]).doUpdateSet({ version: sql<bigint>`version + 1` })
        )
    ),
    lateDays: db.query((q, p: { userIds: bigint[]; to: string }) =>
      q.selectFrom("userBillLateDays").selectAll().where("userId", "in", anyOf(p.userIds)).where("day", "<=", p.to)
        .orderBy("userId").orderBy("day")
    ),
    usersWithLateDays: db.query((q, p: { after: bigint; before: string; limit: number }) =>
      q.selectFrom("userBillLateDays").select("userId").distinct().where("userId", ">", p.after)
        .where("day", "<", p.before).orderBy("userId").limit(p.limit)
    ),
    /** Deletes late days unless more traffic arrived for them. */
    removeLateDays: db.query((q, p: { days: string }) =>
      q.deleteFrom("userBillLateDays").where(
        sql<SqlBool>`(userId, day, version) in (select cast(value ->> 0 as integer), value ->> 1,
          cast(value ->> 2 as integer) from json_each(${p.days}))`,
      )
    ),
    removeSomeLateDays: db.query((q, p: { userId: bigint; limit: number }) =>
      q.deleteFrom("userBillLateDays").where(
        sql<SqlBool>`(userId, day) in (select userId, day from userBillLateDays where userId = ${p.userId}
          limit ${p.limit})`,
      )
    ),

    progress: db.query((q, p: { key: string; since: bigint }) =>
      q.selectFrom("userBillProgress").select("after").where("key", "=", p.key).where("at", ">=", p.since)
    ),
    setProgress: db.query((q, p: BillProgress) =>
      q.replaceInto("userBillProgress").values({ key: p.key, after: p.after, at: p.at })
    ),
    endProgress: db.query((q, p: { key: string }) => q.deleteFrom("userBillProgress").where("key", "=", p.key)),
    scope: db.query((q) => q.selectFrom("userBillScope").selectAll()),
    /** Adds days for which bills are made. */
    widenScope: db.query((q, p: { from: string; to: string }) =>
      q.updateTable("userBillScope").set({
        billedFrom: sql<string>`iif(billedFrom = '', ${p.from}, min(billedFrom, ${p.from}))`,
        billedTo: sql<string>`max(billedTo, ${p.to})`,
      })
    ),
    setAutomaticSince: db.query((q, p: { day: string }) =>
      q.updateTable("userBillScope").set({ automaticSince: p.day }).where("automaticSince", "=", "")
    ),
  };
}

export type ChargeStore = ReturnType<typeof chargeStore>;
