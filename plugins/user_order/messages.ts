import { type Call, distinct } from "edgehelm";
import { amountNumber } from "edgehelm/fields";
import type { OrderMethods } from "../order_method/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserOrderRow } from "./store.ts";

/** Returns messages of orders with user and method. */
export async function orderMessages(
  call: Call,
  { users, methods }: { readonly users: Users; readonly methods: OrderMethods },
  rows: readonly UserOrderRow[],
  now: bigint,
) {
  const [userOf, methodOf] = await Promise.all([
    users.nested(call, distinct(rows.map(({ userId }) => userId))),
    methods.summaries(call, distinct(rows.map(({ orderMethodId }) => orderMethodId))),
  ]);
  return rows.map((row) => {
    const user = userOf.get(row.userId);
    const orderMethod = methodOf.get(row.orderMethodId);
    const isUnpaid = row.status === "none" || row.status === "doing";
    const isExpired = isUnpaid && row.expiresAt <= now;
    const canPay = row.status === "none" && !isExpired && orderMethod?.isOn === true;
    return {
      userId: row.userId,
      code: row.code,
      type: row.type,
      orderMethodId: row.orderMethodId,
      status: row.status,
      amount: amountNumber(row.amount),
      paramsJSON: row.paramsJSON,
      createdAt: row.createdAt,
      cancelledAt: row.cancelledAt,
      finishedAt: row.finishedAt,
      isExpired,
      ...(user && { user }),
      ...(orderMethod && { orderMethod }),
      canPay,
      payURL: canPay ? row.payURL : "",
      currency: row.currency,
      refundedAmount: amountNumber(row.refundedAmount),
      problem: row.problem,
    };
  });
}
