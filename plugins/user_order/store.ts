import { type Db, isLive, ownedRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import type { NoticeResult } from "./contract.ts";
import { errors } from "./errors.ts";

export type OrderStatus = "none" | "doing" | "finished" | "cancelled";

export interface Tables {
  userOrders: LiveTable<{
    userId: bigint;
    code: string;
    type: string;
    orderMethodId: bigint;
    status: Generated<OrderStatus>;
    /** In hundredths of the currency unit, like `refundedAmount`. */
    amount: bigint;
    refundedAmount: Generated<bigint>;
    currency: string;
    paramsJSON: Uint8Array;
    payURL: Generated<string>;
    problem: Generated<string>;
    createdAt: bigint;
    expiresAt: bigint;
    cancelledAt: Generated<bigint>;
    finishedAt: Generated<bigint>;
  }>;
  userOrderNotices: {
    id: Generated<bigint>;
    orderMethodId: bigint;
    eventId: string;
    kind: string;
    orderCode: string;
    amount: bigint;
    currency: string;
    result: NoticeResult;
    createdAt: bigint;
  };
}

export type UserOrderRow = Selectable<Tables["userOrders"]>;

const isOpen = sql<SqlBool>`status in ('none', 'doing')`;

/** The SQL statements of this plugin. */
export function userOrderStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("userOrders").where(isLive);
  return {
    ...ownedRows(db, "userOrders", errors.not_found),
    insert: db.insertUnique("userOrders", [
      "userId",
      "code",
      "type",
      "orderMethodId",
      "amount",
      "currency",
      "paramsJSON",
      "createdAt",
      "expiresAt",
    ]),
    withCode: db.query((q, p: { code: string }) => live(q).selectAll().where("code", "=", p.code)),
    waiting: db.query((q, p: { userId: bigint; now: bigint }) =>
      live(q).select(sql<bigint>`count(*)`.as("count")).where("userId", "=", p.userId).where(isOpen)
        .where("expiresAt", ">", p.now)
    ),
    waitingOfMethod: db.query((q, p: { id: bigint; limit: number }) =>
      live(q).select("code").where("orderMethodId", "=", p.id).where(isOpen).limit(p.limit)
    ),
    setPayURL: db.update("userOrders", ["payURL"]),
    setStatus: db.update("userOrders", ["status", "problem"]),
    cancel: db.update("userOrders", ["cancelledAt"], { status: "cancelled" }),
    finish: db.update("userOrders", ["finishedAt", "problem"], { status: "finished" }),
    refund: db.update("userOrders", ["refundedAmount", "problem"]),
    list: rowList(db, "userOrders", {
      equalIfSet: ["userId", "status"],
      contains: ["code"],
      order: { id: "desc" },
    }),
    insertNotice: db.insertUnique("userOrderNotices", [
      "orderMethodId",
      "eventId",
      "kind",
      "orderCode",
      "amount",
      "currency",
      "result",
      "createdAt",
    ]),
    setResult: db.update("userOrderNotices", ["result"]),
  };
}

export type UserOrderStore = ReturnType<typeof userOrderStore>;
