import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { OrderMethods, OrderMethodUses, PaymentProviders } from "../order_method/contract.ts";
import { UserRemovals, Users, UserStates } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { OrderTypes, UserOrders } from "./contract.ts";
import { errors } from "./errors.ts";
import { userOrderHandlers } from "./handlers.ts";
import * as createUserOrders from "./migrations/0001_create_user_orders.ts";
import { Payments } from "./payments.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserOrderConfigSchema } from "./proto/config_pb.ts";
import { UserOrderService } from "./proto/service_user_order_pb.ts";
import { type Tables, userOrderStore } from "./store.ts";
import { termsOf } from "./terms.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_user_orders": createUserOrders },
  config: UserOrderConfigSchema,
  requires: { methods: OrderMethods, users: Users, accounts: UserAccounts, states: optional(UserStates) },
  setup({ db, config, clock, log, deps, serve, provide, contribute, contributions }) {
    const orders = userOrderStore(db<Tables>());
    const types = contributions(OrderTypes);
    const payments = new Payments({ ...deps, orders, types, clock, log });
    const extensions = { types, providers: contributions(PaymentProviders), terms: termsOf(config) };
    serve(UserOrderService, userOrderHandlers({ ...deps, ...extensions, orders, payments, clock }));
    provide(UserOrders, payments);
    contribute(OrderMethodUses, usedBy(orders.waitingOfMethod, ({ code }) => `order "${code}"`));
    contribute(UserRemovals, orders);
  },
});
export default plugin;
