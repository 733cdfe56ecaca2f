import { type Call, type Clock, invalid, kernelErrors, unixSeconds } from "edgehelm";
import { amountText } from "edgehelm/fields";
import type { Users } from "../user/contract.ts";
import type { UserAccounts } from "../user_account/contract.ts";
import { newCode } from "./codes.ts";
import { errors } from "./errors.ts";
import type { RefundRow, RefundStatus, RefundStore } from "./store_refunds.ts";
import type { UserOrderRow, UserOrderStore } from "./store.ts";

/** The dependencies of refunds. */
export interface RefundDeps {
  readonly orders: UserOrderStore;
  readonly refunds: RefundStore;
  readonly accounts: UserAccounts;
  readonly users: Users;
  readonly clock: Clock;
}

/** Books refunds that admins start. Their amount is taken from the account first, so that it cannot be spent again. */
export class Refunds {
  readonly #deps: RefundDeps;

  constructor(deps: RefundDeps) {
    this.#deps = deps;
  }

  /** Starts a refund in the transaction of the call. An amount of 0 means all that is left. Returns its code. */
  async start(call: Call, order: UserOrderRow, requested: bigint, reason: string): Promise<string> {
    const { orders, refunds, accounts, clock } = this.#deps;
    const { id: orderId, code: orderCode, userId, orderMethodId, currency, problem } = order;
    if (order.status !== "finished") throw errors.not_paid(orderCode);
    const left = order.amount - order.refundedAmount;
    if (left === 0n) throw errors.refunded(orderCode);
    if (requested > left) {
      throw invalid(
        "amount",
        `must be 0 to ${amountText(left)}, which is left of the order, got ${amountText(requested)}`,
      );
    }
    const amount = requested || left;
    const createdAt = unixSeconds(clock);
    const refund = {
      userId,
      orderId,
      orderCode,
      orderMethodId,
      amount,
      currency,
      reason,
      createdAt,
      nextAt: createdAt,
    };
    const code = newCode(clock);
    if (await refunds.insert.first(call, { ...refund, code }) === undefined) {
      throw kernelErrors.unavailable("the code of the refund is taken: try again");
    }
    await accounts.book(call, { ...entryOf({ ...refund, code }), delta: -amount, eventType: "paymentRefund" });
    await orders.refund.run(call, { id: orderId, refundedAmount: order.refundedAmount + amount, problem });
    return code;
  }

  /** Books that a refund was paid back. Returns false if that was known. */
  async finish(call: Call, refund: RefundRow): Promise<boolean> {
    if (refund.status === "finished") return false;
    if (refund.status === "failed") throw errors.refund_failed(refund.code);
    await this.#setResult(call, refund, "finished", "");
    return true;
  }

  /** Returns the amount of a refund that was not paid back to the account. Returns false if that was done before. */
  async fail(call: Call, refund: RefundRow, problem: string): Promise<boolean> {
    if (refund.status === "failed") return false;
    const { orders, accounts, users } = this.#deps;
    await this.#setResult(call, refund, "failed", problem);
    const [order] = await orders.byIds.all(call, { ids: [refund.orderId] });
    if (order !== undefined) {
      const refundedAmount = order.refundedAmount - refund.amount;
      await orders.refund.run(call, { id: order.id, refundedAmount, problem: order.problem });
    }
    if ((await users.summaries(call, [refund.userId])).has(refund.userId)) {
      await accounts.book(call, { ...entryOf(refund), delta: refund.amount, eventType: "refund" });
    }
    return true;
  }

  #setResult(call: Call, { id }: RefundRow, status: RefundStatus, problem: string) {
    return this.#deps.refunds.setResult.run(call, { id, status, problem, finishedAt: unixSeconds(this.#deps.clock) });
  }
}

function entryOf({ userId, code, orderCode }: Pick<RefundRow, "userId" | "code" | "orderCode">) {
  return { userId, description: `refund of order ${orderCode}`, params: { orderCode, refundCode: code } };
}
