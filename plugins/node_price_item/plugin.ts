import { definePlugin, type Plugin } from "edgehelm";
import { NodePriceItems, NodePriceItemUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { nodePriceItemHandlers, TRAFFIC } from "./handlers.ts";
import * as createNodePriceItems from "./migrations/0001_create_node_price_items.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodePriceItemService } from "./proto/service_node_price_item_pb.ts";
import { nodePriceItemStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_price_items": createNodePriceItems },
  setup({ db, serve, provide, contributions }) {
    const items = nodePriceItemStore(db<Tables>());
    serve(NodePriceItemService, nodePriceItemHandlers(items, contributions(NodePriceItemUses)));
    provide(NodePriceItems, {
      requirePriceItem: items.references(({ id }) => id).require,
      trafficTiers: async (call) => (await items.list.all(call, { type: TRAFFIC, isOn: true })).reverse(),
    });
  },
});
export default plugin;
