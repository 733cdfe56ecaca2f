import { definePlugin, type Plugin } from "edgehelm";
import { NodeRegions, NodeRegionUses } from "../node_region/contract.ts";
import { TrafficPackages, TrafficPackageUses } from "../traffic_package/contract.ts";
import { TrafficPackagePeriods, TrafficPackagePeriodUses } from "../traffic_package_period/contract.ts";
import { TrafficPackagePrices } from "./contract.ts";
import { trafficPackagePriceHandlers } from "./handlers.ts";
import * as createTrafficPackagePrices from "./migrations/0001_create_traffic_package_prices.ts";
import manifest from "./plugin.json" with { type: "json" };
import { TrafficPackagePriceService } from "./proto/service_traffic_package_price_pb.ts";
import { type Tables, trafficPackagePriceStore } from "./store.ts";
import { priceUses } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_traffic_package_prices": createTrafficPackagePrices },
  requires: { packages: TrafficPackages, periods: TrafficPackagePeriods, regions: NodeRegions },
  setup({ db, deps, serve, provide, contribute }) {
    const prices = trafficPackagePriceStore(db<Tables>());
    serve(TrafficPackagePriceService, trafficPackagePriceHandlers(prices, deps));
    provide(TrafficPackagePrices, {
      priceOf: async (call, priced) => (await prices.find.first(call, priced))?.price ?? 0n,
    });
    contribute(TrafficPackageUses, priceUses(prices, deps, "trafficPackageId"));
    contribute(TrafficPackagePeriodUses, priceUses(prices, deps, "trafficPackagePeriodId"));
    contribute(NodeRegionUses, priceUses(prices, deps, "nodeRegionId"));
  },
});
export default plugin;
