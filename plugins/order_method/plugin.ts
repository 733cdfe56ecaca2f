import { definePlugin, type Plugin } from "edgehelm";
import { sealedSecrets, Secrets } from "edgehelm/auth";
import { OrderMethods, OrderMethodUses, PaymentProviders } from "./contract.ts";
import { errors } from "./errors.ts";
import { orderMethodHandlers } from "./handlers.ts";
import { orderMethods } from "./methods.ts";
import * as createOrderMethods from "./migrations/0001_create_order_methods.ts";
import manifest from "./plugin.json" with { type: "json" };
import { OrderMethodService } from "./proto/service_order_method_pb.ts";
import { orderMethodStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_order_methods": createOrderMethods },
  requires: { sealer: Secrets },
  sealed: (["secret", "params"] as const).map((column) => ({ table: "orderMethods", column, row: "sealedFor" })),
  async setup({ db, deps: { sealer }, serve, provide, contributions }) {
    const methods = orderMethodStore(db<Tables>());
    const secrets = {
      secret: await sealedSecrets(sealer, "orderMethods", "secret"),
      params: await sealedSecrets(sealer, "orderMethods", "params"),
    };
    const extensions = { uses: contributions(OrderMethodUses), providers: contributions(PaymentProviders) };
    serve(OrderMethodService, orderMethodHandlers({ methods, secrets, ...extensions }));
    provide(OrderMethods, orderMethods(methods, secrets));
  },
});
export default plugin;
