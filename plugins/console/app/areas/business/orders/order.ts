import type { Order } from "../../../parts/money/models.ts";
import type { NamedUser } from "../../../parts/money/user_link.tsx";
import { callPath } from "../../../shell/call.ts";

export const FINISH = "UserOrderService/finishUserOrder";
export const CANCEL = "UserOrderService/cancelUserOrder";
export const REFUND = "UserOrderRefundService/createUserOrderRefund";
export const FINISH_REFUND = "UserOrderRefundService/finishUserOrderRefund";
export const ORDERS = {
  list: "UserOrderService/listEnabledUserOrders",
  field: "userOrders",
  count: "UserOrderService/countEnabledUserOrders",
};
export const REFUNDS = {
  list: "UserOrderRefundService/listUserOrderRefunds",
  field: "userOrderRefunds",
  count: "UserOrderRefundService/countUserOrderRefunds",
};

/** An order with the user who pays it. */
export interface UserOrder extends Order {
  readonly userId: bigint;
  readonly user?: NamedUser;
  readonly finishedAt: bigint;
  readonly cancelledAt: bigint;
  readonly orderMethod?: { readonly name: string; readonly parentCode: string };
}

/** A refund of an order. */
export interface Refund {
  readonly code: string;
  readonly userId: bigint;
  readonly orderCode: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly status: string;
  readonly problem: string;
  readonly createdAt: bigint;
  readonly finishedAt: bigint;
}

export async function findOrder(code: string, signal?: AbortSignal): Promise<UserOrder | undefined> {
  const { userOrder } = await callPath("UserOrderService/findEnabledUserOrder", { code }, signal);
  return userOrder as UserOrder | undefined;
}

/** Returns what can still be paid back of an order. */
export function restOf({ status, amount, refundedAmount }: Order): number {
  return status === "finished" ? Number((amount - refundedAmount).toFixed(2)) : 0;
}
