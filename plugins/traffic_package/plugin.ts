import { definePlugin, invalid, type Plugin } from "edgehelm";
import { TrafficPackages, TrafficPackageUses } from "./contract.ts";
import { summary, trafficPackageHandlers } from "./handlers.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { TrafficPackageService } from "./proto/service_traffic_package_pb.ts";
import { type Tables, trafficPackageStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  setup({ db, serve, provide, contributions }) {
    const packages = trafficPackageStore(db<Tables>());
    serve(TrafficPackageService, trafficPackageHandlers(packages, contributions(TrafficPackageUses)));
    provide(TrafficPackages, {
      async summaries(call, ids) {
        return new Map((await packages.byIds.all(call, { ids: [...ids] })).map((row) => [row.id, summary(row)]));
      },
      async requirePackage(call, field, id) {
        await packages.byId.require(call, { id }, () => invalid(field, `traffic package ${id} does not exist`));
      },
    });
  },
});
export default plugin;
