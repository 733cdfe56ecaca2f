import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { NodeRegions, NodeRegionUses } from "../node_region/contract.ts";
import { ServerDailyStats } from "../server_daily_stat/contract.ts";
import { TrafficPackages, TrafficPackageUses } from "../traffic_package/contract.ts";
import { TrafficPackagePeriods, TrafficPackagePeriodUses } from "../traffic_package_period/contract.ts";
import { TrafficPackagePrices } from "../traffic_package_price/contract.ts";
import { UserRemovals, Users, UserStates } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { OrderTypes } from "../user_order/contract.ts";
import { UserQuotaDeclarations, UserQuotas } from "../user_quota/contract.ts";
import { UserTrafficPackages } from "./contract.ts";
import { packageCover } from "./cover.ts";
import { errors } from "./errors.ts";
import { userTrafficPackageHandlers } from "./handlers.ts";
import * as createUserTrafficPackages from "./migrations/0001_create_user_traffic_packages.ts";
import { packageOrders } from "./order_type.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserTrafficPackageService } from "./proto/service_user_traffic_package_pb.ts";
import { TRAFFIC_PACKAGES } from "./quota.ts";
import { PackageSale } from "./sale.ts";
import { userTrafficPackageLists } from "./store_lists.ts";
import { type Tables, userTrafficPackageStore } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_user_traffic_packages": createUserTrafficPackages },
  requires: {
    packages: TrafficPackages,
    periods: TrafficPackagePeriods,
    prices: TrafficPackagePrices,
    regions: NodeRegions,
    users: Users,
    states: optional(UserStates),
    accounts: UserAccounts,
    stats: optional(ServerDailyStats),
    quotas: optional(UserQuotas),
  },
  setup({ db, clock, deps, serve, provide, contribute }) {
    const tables = db<Tables>();
    const store = userTrafficPackageStore(tables);
    const sale = new PackageSale(store, deps, clock);
    const lists = userTrafficPackageLists(tables);
    serve(UserTrafficPackageService, userTrafficPackageHandlers({ ...deps, store, lists, sale, clock }));
    provide(UserTrafficPackages, packageCover(store, deps.stats));
    const describe = ({ userId }: { readonly userId: bigint }) => `a package of user ${userId}`;
    contribute(TrafficPackageUses, usedBy(store.withPart.trafficPackageId, describe));
    contribute(NodeRegionUses, usedBy(store.withPart.nodeRegionId, describe));
    contribute(TrafficPackagePeriodUses, usedBy(store.withPart.trafficPackagePeriodId, describe));
    contribute(UserQuotaDeclarations, TRAFFIC_PACKAGES);
    contribute(OrderTypes, packageOrders(sale));
    contribute(UserRemovals, store);
  },
});
export default plugin;
