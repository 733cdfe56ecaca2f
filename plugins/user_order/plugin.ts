import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { OrderMethods, OrderMethodUses, PaymentProviders } from "../order_method/contract.ts";
import { UserRemovals, Users, UserStates } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { OrderTypes, UserOrders } from "./contract.ts";
import { errors } from "./errors.ts";
import { userOrderHandlers } from "./handlers.ts";
import * as createUserOrders from "./migrations/0001_create_user_orders.ts";
import * as createUserOrderRefunds from "./migrations/0002_create_user_order_refunds.ts";
import * as indexRefunds from "./migrations/0003_index_refunds.ts";
import { Payments } from "./payments.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserOrderConfigSchema } from "./proto/config_pb.ts";
import { UserOrderRefundService } from "./proto/service_user_order_refund_pb.ts";
import { UserOrderService } from "./proto/service_user_order_pb.ts";
import { refundHandlers } from "./refund_handlers.ts";
import { sendRefunds } from "./refund_queue.ts";
import { Refunds } from "./refunds.ts";
import { refundStore, type RefundTables } from "./store_refunds.ts";
import { type Tables, userOrderStore } from "./store.ts";
import { termsOf } from "./terms.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_user_orders": createUserOrders,
    "0002_create_user_order_refunds": createUserOrderRefunds,
    "0003_index_refunds": indexRefunds,
  },
  config: UserOrderConfigSchema,
  requires: { methods: OrderMethods, users: Users, accounts: UserAccounts, states: optional(UserStates) },
  setup({ db, config, clock, log, deps, serve, provide, contribute, contributions, every }) {
    const orders = userOrderStore(db<Tables>());
    const types = contributions(OrderTypes);
    const refunds = refundStore(db<RefundTables>());
    const providers = contributions(PaymentProviders);
    const books = new Refunds({ ...deps, orders, refunds, clock });
    const payments = new Payments({ ...deps, orders, refunds, books, types, clock, log });
    const extensions = { types, providers, terms: termsOf(config) };
    serve(UserOrderService, userOrderHandlers({ ...deps, ...extensions, orders, payments, clock }));
    serve(UserOrderRefundService, refundHandlers({ orders, refunds, books }));
    provide(UserOrders, payments);
    contribute(OrderMethodUses, usedBy(orders.waitingOfMethod, ({ code }) => `order "${code}"`));
    contribute(OrderMethodUses, usedBy(refunds.waitingOfMethod, ({ code }) => `refund "${code}"`));
    contribute(UserRemovals, orders);
    contribute(UserRemovals, refunds);
    const queue = { ...deps, refunds, books, providers, clock, log };
    every({ name: "send_refunds", everySeconds: 10, run: (call) => sendRefunds(call, queue) });
  },
});
export default plugin;
