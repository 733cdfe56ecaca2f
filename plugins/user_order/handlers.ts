import {
  type Call,
  callerId,
  choiceField,
  type Handlers,
  invalid,
  onlyOwned,
  ownerOf,
  pageOf,
  requireOwned,
  textField,
  unixSeconds,
} from "edgehelm";
import { idOrNoneField } from "edgehelm/fields";
import { countRows } from "edgehelm/rows";
import type { Users } from "../user/contract.ts";
import { errors } from "./errors.ts";
import { orderMessages } from "./messages.ts";
import { createOrder, type OrderDeps } from "./orders.ts";
import { noticeField } from "./notices.ts";
import type { Payments } from "./payments.ts";
import type { UserOrderService } from "./proto/service_user_order_pb.ts";
import type { OrderStatus, UserOrderRow } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps extends OrderDeps {
  readonly users: Users;
  readonly payments: Payments;
}

const STATUSES: readonly OrderStatus[] = ["none", "doing", "finished", "cancelled"];

export function userOrderHandlers(deps: Deps): Handlers<typeof UserOrderService> {
  const { orders, methods, providers, payments, clock } = deps;

  async function requireOrder(call: Call, code: string): Promise<UserOrderRow> {
    return requireOwned(call, await orders.withCode.first(call, { code }), errors.not_found(code.slice(0, 60)));
  }

  function filterOf(request: { userId: bigint; keyword: string; status: string }, call: Call) {
    const status = request.status === "" ? undefined : choiceField("status", request.status, STATUSES);
    const userId = ownerOf(call, idOrNoneField("userId", request.userId));
    return { userId, status, keyword: textField("keyword", request.keyword) };
  }

  return {
    createUserOrder: (request, call) => createOrder(call, callerId(call.caller), request, deps),

    async findEnabledUserOrder({ code }, call) {
      const row = onlyOwned(call, await orders.withCode.first(call, { code }));
      const [userOrder] = await orderMessages(call, deps, row === undefined ? [] : [row], unixSeconds(clock));
      return { userOrder };
    },

    async cancelUserOrder({ code }, call) {
      const { id, status } = await requireOrder(call, code);
      if (status === "finished") throw errors.already_paid(code);
      if (status !== "cancelled") await orders.cancel.run(call, { id, cancelledAt: unixSeconds(clock) });
      return {};
    },

    async finishUserOrder({ code }, call) {
      const order = await requireOrder(call, code);
      if (order.status !== "finished") await payments.finish(call, order);
      return {};
    },

    countEnabledUserOrders: countRows(orders.list, filterOf),

    async listEnabledUserOrders(request, call) {
      const rows = await orders.list.page(call, filterOf(request, call), pageOf(request));
      return { userOrders: await orderMessages(call, deps, rows, unixSeconds(clock)) };
    },

    async notifyUserOrderPayment({ payMethod, formData }, call) {
      const notice = noticeField("formData", formData);
      const found = await methods.withCode(call, payMethod);
      const method = found && await methods.settings(call, found.id);
      if (method === undefined) throw invalid("payMethod", `order method "${payMethod.slice(0, 60)}" does not exist`);
      const provider = providers.find(({ code }) => code === found!.parentCode);
      if (provider === undefined) throw errors.no_provider(method.code);
      await payments.receive(call, method.id, await provider.readNotice(method, notice));
      return {};
    },
  };
}
