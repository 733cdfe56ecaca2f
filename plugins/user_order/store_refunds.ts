import { type Db, isLive, ownedRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { type Generated, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export type RefundStatus = "waiting" | "sent" | "finished" | "failed";

export interface RefundTables {
  userOrderRefunds: LiveTable<{
    userId: bigint;
    code: string;
    orderId: bigint;
    orderCode: string;
    orderMethodId: bigint;
    /** In hundredths of the currency unit. */
    amount: bigint;
    currency: string;
    reason: string;
    status: Generated<RefundStatus>;
    problem: Generated<string>;
    attempts: Generated<bigint>;
    /** The time of the next attempt. */
    nextAt: bigint;
    createdAt: bigint;
    finishedAt: Generated<bigint>;
  }>;
}

export type RefundRow = Selectable<RefundTables["userOrderRefunds"]>;

const isWaiting = sql<SqlBool>`status = 'waiting'`;
const isOpen = sql<SqlBool>`status in ('waiting', 'sent')`;

/** The SQL statements about refunds. Refunds of deleted users are still paid back. */
export function refundStore(db: Db<RefundTables>) {
  return {
    ...ownedRows(db, "userOrderRefunds", errors.refund_not_found),
    insert: db.insertUnique("userOrderRefunds", [
      "userId",
      "code",
      "orderId",
      "orderCode",
      "orderMethodId",
      "amount",
      "currency",
      "reason",
      "nextAt",
      "createdAt",
    ]),
    withCode: db.query((q, p: { code: string }) =>
      q.selectFrom("userOrderRefunds").selectAll().where("code", "=", p.code)
    ),
    /** Selects the oldest refund of an order over an amount of which no result is known. */
    openOver: db.query((q, p: { orderId: bigint; amount: bigint }) =>
      q.selectFrom("userOrderRefunds").selectAll().where("orderId", "=", p.orderId).where("amount", "=", p.amount)
        .where(isOpen).orderBy("id").limit(sql.lit(1))
    ),
    due: db.query((q, p: { now: bigint; limit: number }) =>
      q.selectFrom("userOrderRefunds").selectAll().where(isWaiting).where("nextAt", "<=", p.now)
        .orderBy("nextAt").orderBy("id").limit(p.limit)
    ),
    waitingOfMethod: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("userOrderRefunds").select("code").where("orderMethodId", "=", p.id).where(isOpen).where(isLive)
        .limit(p.limit)
    ),
    /** Claims an attempt; changes no row if another instance made it. */
    claim: db.query((q, p: { id: bigint; attempts: bigint; nextAt: bigint }) =>
      q.updateTable("userOrderRefunds").set({ attempts: sql`${p.attempts} + 1`, nextAt: p.nextAt })
        .where("id", "=", p.id).where("attempts", "=", p.attempts).where(isWaiting)
    ),
    setSent: db.query((q, p: { id: bigint }) =>
      q.updateTable("userOrderRefunds").set({ status: "sent", problem: "" }).where("id", "=", p.id).where(isWaiting)
    ),
    setProblem: db.query((q, p: { id: bigint; problem: string }) =>
      q.updateTable("userOrderRefunds").set({ problem: p.problem }).where("id", "=", p.id).where(isWaiting)
    ),
    setResult: db.update("userOrderRefunds", ["status", "problem", "finishedAt"]),
    list: rowList(db, "userOrderRefunds", { equalIfSet: ["userId", "orderCode", "status"], order: { id: "desc" } }),
  };
}

export type RefundStore = ReturnType<typeof refundStore>;
