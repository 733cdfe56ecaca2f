import { type Call, type Clock, type Logger, unixSeconds } from "edgehelm";
import { amountText } from "edgehelm/fields";
import type { Users } from "../user/contract.ts";
import type { UserAccounts } from "../user_account/contract.ts";
import type { Refunds } from "./refunds.ts";
import type { RefundStore } from "./store_refunds.ts";
import type { NoticeResult, OrderEvent, OrderType, UserOrders } from "./contract.ts";
import type { UserOrderRow, UserOrderStore } from "./store.ts";

/** The dependencies of payments. */
export interface PaymentDeps {
  readonly orders: UserOrderStore;
  readonly accounts: UserAccounts;
  readonly users: Users;
  readonly refunds: RefundStore;
  readonly books: Refunds;
  readonly types: readonly OrderType[];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Books what providers and admins tell about payments, each event once. */
export class Payments implements UserOrders {
  readonly #deps: PaymentDeps;

  constructor(deps: PaymentDeps) {
    this.#deps = deps;
  }

  async receive(call: Call, orderMethodId: bigint, event: OrderEvent): Promise<NoticeResult> {
    const { orders, clock, log } = this.#deps;
    const { id: eventId, kind, orderCode, amount, currency } = event;
    const result = await call.transact(async (inner): Promise<NoticeResult> => {
      const createdAt = unixSeconds(clock);
      const notice = { orderMethodId, eventId, kind, orderCode, amount, currency, result: "noted" as const, createdAt };
      const created = await orders.insertNotice.first(inner, notice);
      if (created === undefined) return "repeated";
      const result = await this.#apply(inner, orderMethodId, event);
      await orders.setResult.run(inner, { id: created.id, result });
      return result;
    });
    const fields = { eventId, kind, orderCode, amount: amountText(amount), currency, result };
    if (["booked", "noted", "repeated"].includes(result)) log.info("payment notice", fields);
    else log.warn("payment notice needs attention", fields);
    return result;
  }

  /** Books the payment of an order, and makes its purchase. */
  async finish(call: Call, order: UserOrderRow, params: Record<string, string> = {}): Promise<void> {
    const { orders, accounts, types, clock } = this.#deps;
    const { id, userId, amount, type, paramsJSON, code } = order;
    await accounts.book(call, {
      ...{ userId, delta: amount, eventType: "charge" },
      description: `order ${code}`,
      params: { orderCode: code, ...params },
    });
    const orderType = type === "charge" ? undefined : types.find((candidate) => candidate.type === type);
    const isWanted = type !== "charge" && order.status !== "cancelled";
    const isCovered = isWanted && orderType !== undefined && await accounts.balance(call, userId) >= amount;
    const isMade = isCovered && await orderType.purchase(call, { userId, amount, paramsJSON });
    const problem = isWanted && !isMade ? "the purchase was not possible: the payment is on the account" : "";
    await orders.finish.run(call, { id, finishedAt: unixSeconds(clock), problem });
  }

  async #apply(call: Call, orderMethodId: bigint, event: OrderEvent): Promise<NoticeResult> {
    const { orders, users } = this.#deps;
    const order = await orders.withCode.first(call, { code: event.orderCode });
    if (order === undefined || order.orderMethodId !== orderMethodId) return "unknown_order";
    if (!(await users.summaries(call, [order.userId])).has(order.userId)) return "no_user";
    switch (event.kind) {
      case "paid":
        return await this.#paid(call, order, event);
      case "refunded":
        return await this.#refunded(call, order, event);
      case "refund_failed":
        return await this.#refundFailed(call, order, event);
      case "chargeback":
        return await this.#takenBack(call, order, event);
      case "pending":
      case "failed":
        if (order.status === "none" || order.status === "doing") {
          const status = event.kind === "pending" ? "doing" : "none";
          await orders.setStatus.run(call, { id: order.id, status, problem: "" });
        }
        return "noted";
    }
  }

  async #paid(call: Call, order: UserOrderRow, event: OrderEvent): Promise<NoticeResult> {
    if (order.status === "finished") return await this.#mark(call, order, `paid again: ${textOf(event)}`);
    if (event.amount !== order.amount || event.currency !== order.currency) {
      return await this.#mark(call, order, `paid ${textOf(event)} instead of ${textOf(order)}`);
    }
    await this.finish(call, order, { eventId: event.id });
    return "booked";
  }

  /** Confirms a refund that an admin started, whose amount was booked then; books any other. */
  async #refunded(call: Call, order: UserOrderRow, event: OrderEvent): Promise<NoticeResult> {
    const refund = await this.#refundOf(call, order, event);
    if (refund === undefined && (event.refundCode ?? "") === "") return await this.#takenBack(call, order, event);
    if (refund === undefined || refund.status === "failed") return await this.#markRefund(call, order, event);
    await this.#deps.books.finish(call, refund);
    return "noted";
  }

  async #refundFailed(call: Call, order: UserOrderRow, event: OrderEvent): Promise<NoticeResult> {
    const refund = await this.#refundOf(call, order, event);
    if (refund === undefined) return await this.#markRefund(call, order, event);
    return await this.#deps.books.fail(call, refund, "the payment provider could not pay it back") ? "booked" : "noted";
  }

  /** Returns the refund of an event: that with its code, or else the oldest over its amount that has no result. */
  async #refundOf(call: Call, order: UserOrderRow, { refundCode = "", amount, currency }: OrderEvent) {
    const { refunds } = this.#deps;
    const found = refundCode === ""
      ? await refunds.openOver.first(call, { orderId: order.id, amount })
      : await refunds.withCode.first(call, { code: refundCode });
    const isSame = found?.orderId === order.id && found.amount === amount && found.currency === currency;
    return isSame ? found : undefined;
  }

  #markRefund(call: Call, order: UserOrderRow, event: OrderEvent): Promise<NoticeResult> {
    return this.#mark(call, order, `${event.kind} ${event.refundCode ?? ""}: ${textOf(event)} of ${textOf(order)}`);
  }

  async #takenBack(call: Call, order: UserOrderRow, event: OrderEvent): Promise<NoticeResult> {
    const refundedAmount = order.refundedAmount + event.amount;
    if (
      order.status !== "finished" || event.amount === 0n || event.currency !== order.currency ||
      refundedAmount > order.amount
    ) {
      return await this.#mark(call, order, `${event.kind}: ${textOf(event)} of ${textOf(order)}`);
    }
    await this.#deps.accounts.claim(call, {
      ...{ userId: order.userId, delta: -event.amount },
      eventType: event.kind === "refunded" ? "paymentRefund" : "chargeback",
      description: `order ${order.code}`,
      params: { orderCode: order.code, eventId: event.id },
    });
    await this.#deps.orders.refund.run(call, { id: order.id, refundedAmount, problem: order.problem });
    return "booked";
  }

  /** Marks an order for admins; an order that was not paid waits for them. */
  async #mark(call: Call, { id, status }: UserOrderRow, problem: string): Promise<NoticeResult> {
    await this.#deps.orders.setStatus.run(call, { id, status: status === "none" ? "doing" : status, problem });
    return "differs";
  }
}

/** Returns an amount such as `12.50 EUR`. */
function textOf({ amount, currency }: { readonly amount: bigint; readonly currency: string }): string {
  return `${amountText(amount)} ${currency}`;
}
