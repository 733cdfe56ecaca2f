import { definePlugin, invalid, type Plugin } from "edgehelm";
import { NodePriceItems, NodePriceItemUses } from "./contract.ts";
import { nodePriceItemHandlers, TRAFFIC } from "./handlers.ts";
import * as createNodePriceItems from "./migrations/0001_create_node_price_items.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodePriceItemService } from "./proto/service_node_price_item_pb.ts";
import { nodePriceItemStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_node_price_items": createNodePriceItems },
  setup({ db, serve, provide, contributions }) {
    const items = nodePriceItemStore(db<Tables>());
    serve(NodePriceItemService, nodePriceItemHandlers(items, contributions(NodePriceItemUses)));
    provide(NodePriceItems, {
      async requirePriceItem(call, field, id) {
        await items.byId.require(call, { id }, () => invalid(field, `price item ${id} does not exist`));
      },
      async trafficTiers(call) {
        const rows = await items.ofType.all(call, { type: TRAFFIC });
        return rows.filter(({ isOn }) => isOn === 1n).reverse();
      },
    });
  },
});
export default plugin;
