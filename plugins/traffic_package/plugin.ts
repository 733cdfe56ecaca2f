import { definePlugin, type Plugin } from "edgehelm";
import { TrafficPackages, TrafficPackageUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { packageMessage, trafficPackageHandlers } from "./handlers.ts";
import * as createTrafficPackages from "./migrations/0001_create_traffic_packages.ts";
import manifest from "./plugin.json" with { type: "json" };
import { TrafficPackageService } from "./proto/service_traffic_package_pb.ts";
import { type Tables, trafficPackageStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_traffic_packages": createTrafficPackages },
  setup({ db, serve, provide, contributions }) {
    const packages = trafficPackageStore(db<Tables>());
    serve(TrafficPackageService, trafficPackageHandlers(packages, contributions(TrafficPackageUses)));
    provide(TrafficPackages, packages.references(packageMessage));
  },
});
export default plugin;
