import { definePlugin, type Plugin } from "edgehelm";
import { TrafficPackagePeriods, TrafficPackagePeriodUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { periodMessage, trafficPackagePeriodHandlers } from "./handlers.ts";
import * as createTrafficPackagePeriods from "./migrations/0001_create_traffic_package_periods.ts";
import manifest from "./plugin.json" with { type: "json" };
import { TrafficPackagePeriodService } from "./proto/service_traffic_package_period_pb.ts";
import { type Tables, trafficPackagePeriodStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_traffic_package_periods": createTrafficPackagePeriods },
  setup({ db, serve, provide, contributions }) {
    const periods = trafficPackagePeriodStore(db<Tables>());
    serve(TrafficPackagePeriodService, trafficPackagePeriodHandlers(periods, contributions(TrafficPackagePeriodUses)));
    provide(TrafficPackagePeriods, periods.references(periodMessage));
  },
});
export default plugin;
