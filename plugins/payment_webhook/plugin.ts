import { definePlugin, type Plugin } from "edgehelm";
import { OrderMethods, PaymentProviders } from "../order_method/contract.ts";
import { UserOrders } from "../user_order/contract.ts";
import { errors } from "./errors.ts";
import manifest from "./plugin.json" with { type: "json" };
import { PaymentWebhookConfigSchema } from "./proto/config_pb.ts";
import { RefundAddresses } from "./refund_address.ts";
import { WEBHOOK, webhookProvider } from "./provider.ts";

const PATH = "/payments/notices";
const MAX_BYTES = 65_536;
const MAX_MILLISECONDS = 30_000;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  config: PaymentWebhookConfigSchema,
  comments: () => import("./proto/comments_pb.ts"),
  requires: { methods: OrderMethods, orders: UserOrders },
  setup({ config, clock, deps: { methods, orders }, contribute, receive, systemCall }) {
    const provider = webhookProvider(clock, new RefundAddresses(config.allowedRanges));
    contribute(PaymentProviders, provider);
    receive(PATH, MAX_BYTES, async (request) => {
      const call = systemCall("payment notice", Date.now() + MAX_MILLISECONDS);
      const code = new URL(request.url).searchParams.get("method") ?? "";
      const found = await methods.withCode(call, code);
      const method = found?.parentCode === WEBHOOK ? await methods.settings(call, found.id) : undefined;
      if (method === undefined) throw errors.unknown_method(code.slice(0, 60));
      const body = new Uint8Array(await request.arrayBuffer());
      const header = (name: string) => request.headers.get(name) ?? undefined;
      const result = await orders.receive(call, method.id, await provider.readNotice(method, { header, body }));
      return Response.json({ result });
    });
  },
});
export default plugin;
