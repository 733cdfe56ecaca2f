import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { NodePriceItems, NodePriceItemUses } from "../node_price_item/contract.ts";
import { NodeRegions, NodeRegionUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { nodeRegionHandlers, regionSummary, regionsWithPrices } from "./handlers.ts";
import * as createNodeRegions from "./migrations/0001_create_node_regions.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodeRegionService } from "./proto/service_node_region_pb.ts";
import { nodeRegionStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_regions": createNodeRegions },
  requires: { priceItems: optional(NodePriceItems) },
  setup({ db, deps: { priceItems }, serve, provide, contribute, contributions }) {
    const regions = nodeRegionStore(db<Tables>());
    serve(NodeRegionService, nodeRegionHandlers(regions, priceItems, contributions(NodeRegionUses)));
    const { summaries, require } = regions.references(regionSummary);
    provide(NodeRegions, {
      summaries,
      requireRegion: require,
      prices: (call) => regions.allPrices.all(call, {}),
      async nested(call, ids) {
        const rows = await regions.ofIds(call, ids);
        return new Map((await regionsWithPrices(call, regions, rows)).map((region) => [region.id, region]));
      },
    });
    contribute(NodePriceItemUses, usedBy(regions.namesWithPriceItem, ({ name }) => `region "${name}"`));
  },
});
export default plugin;
