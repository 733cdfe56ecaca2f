import { type Call, choiceField, type Handlers, ownerOf, pageOf, requireOwned, textField } from "edgehelm";
import { amountField, amountNumber, idOrNoneField } from "edgehelm/fields";
import { countRows } from "edgehelm/rows";
import { errors } from "./errors.ts";
import type { UserOrderRefundService } from "./proto/service_user_order_refund_pb.ts";
import type { Refunds } from "./refunds.ts";
import type { RefundRow, RefundStatus, RefundStore } from "./store_refunds.ts";
import type { UserOrderStore } from "./store.ts";

const STATUSES: readonly RefundStatus[] = ["waiting", "sent", "finished", "failed"];
const MAX_TEXT = 200;
const MAX_CODE = 60;

/** The dependencies of the handlers. */
interface Deps {
  readonly orders: UserOrderStore;
  readonly refunds: RefundStore;
  readonly books: Refunds;
}

/** The operations about refunds. */
export function refundHandlers({ orders, refunds, books }: Deps): Handlers<typeof UserOrderRefundService> {
  function filterOf(request: { userId: bigint; orderCode: string; status: string }, call: Call) {
    const status = request.status === "" ? undefined : choiceField("status", request.status, STATUSES);
    const userId = ownerOf(call, idOrNoneField("userId", request.userId));
    return { userId, status, orderCode: textField("orderCode", request.orderCode, { max: MAX_CODE }) };
  }

  return {
    async createUserOrderRefund(request, call) {
      const orderCode = textField("orderCode", request.orderCode, { min: 1, max: MAX_CODE });
      const amount = amountField("amount", request.amount);
      const reason = textField("reason", request.reason, { max: MAX_TEXT });
      const found = await orders.withCode.first(call, { code: orderCode });
      return { code: await books.start(call, requireOwned(call, found, errors.not_found(orderCode)), amount, reason) };
    },

    async finishUserOrderRefund(request, call) {
      const code = textField("code", request.code, { min: 1, max: MAX_CODE });
      const problem = textField("problem", request.problem, { max: MAX_TEXT });
      const refund = await refunds.withCode.first(call, { code });
      if (refund === undefined) throw errors.refund_not_found(code);
      if (!request.isFailed) await books.finish(call, refund);
      else if (refund.status === "finished") throw errors.refund_finished(code);
      else await books.fail(call, refund, problem);
      return {};
    },

    countUserOrderRefunds: countRows(refunds.list, filterOf),

    async listUserOrderRefunds(request, call) {
      const rows = await refunds.list.page(call, filterOf(request, call), pageOf(request));
      return { userOrderRefunds: rows.map(refundMessage) };
    },
  };
}

function refundMessage(row: RefundRow) {
  const { code, userId, orderCode, currency, reason, status, problem, createdAt, finishedAt } = row;
  const amount = amountNumber(row.amount);
  return { code, userId, orderCode, amount, currency, reason, status, problem, createdAt, finishedAt };
}
