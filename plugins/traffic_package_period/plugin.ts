import { definePlugin, invalid, type Plugin } from "edgehelm";
import { TrafficPackagePeriods, TrafficPackagePeriodUses } from "./contract.ts";
import { summary, trafficPackagePeriodHandlers } from "./handlers.ts";
import * as createTrafficPackagePeriods from "./migrations/0001_create_traffic_package_periods.ts";
import manifest from "./plugin.json" with { type: "json" };
import { TrafficPackagePeriodService } from "./proto/service_traffic_package_period_pb.ts";
import { type Tables, trafficPackagePeriodStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations: { "0001_create_traffic_package_periods": createTrafficPackagePeriods },
  setup({ db, serve, provide, contributions }) {
    const periods = trafficPackagePeriodStore(db<Tables>());
    serve(TrafficPackagePeriodService, trafficPackagePeriodHandlers(periods, contributions(TrafficPackagePeriodUses)));
    provide(TrafficPackagePeriods, {
      async summaries(call, ids) {
        return new Map((await periods.byIds.all(call, { ids: [...ids] })).map((row) => [row.id, summary(row)]));
      },
      async requirePeriod(call, field, id) {
        await periods.byId.require(call, { id }, () => invalid(field, `period ${id} does not exist`));
      },
    });
  },
});
export default plugin;
