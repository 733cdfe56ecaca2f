import { definePlugin, optional, type Plugin } from "edgehelm";
import { Events } from "edgehelm/runtime";
import { NodePriceItems } from "../node_price_item/contract.ts";
import { NodeRegions } from "../node_region/contract.ts";
import { Plans } from "../plan/contract.ts";
import { Servers } from "../server/contract.ts";
import { LateTrafficListeners, ServerDailyStats } from "../server_daily_stat/contract.ts";
import { UserRemovals, Users, UserStates, UserSuspensions } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { UserPlans } from "../user_plan/contract.ts";
import { UserTrafficPackages } from "../user_traffic_package/contract.ts";
import { AutomaticBilling } from "./automatic.ts";
import { chargeStore, type ChargeTables } from "./store_charges.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { remind } from "./reminders.ts";
import { UserBillConfigSchema } from "./proto/config_pb.ts";
import { BillGenerator } from "./generate.ts";
import { userBillHandlers } from "./handlers.ts";
import { lateTrafficListener } from "./late_traffic.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserBillService } from "./proto/service_user_bill_pb.ts";
import { billRemoval } from "./removal.ts";
import { userBillLists } from "./store_lists.ts";
import { type Tables, userBillStore } from "./store.ts";
import { billSuspension } from "./suspension.ts";
import { tariffOf } from "./tariff.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  events: EVENTS,
  config: UserBillConfigSchema,
  requires: {
    events: Events,
    users: Users,
    states: UserStates,
    accounts: UserAccounts,
    stats: optional(ServerDailyStats),
    servers: optional(Servers),
    plans: optional(Plans),
    userPlans: optional(UserPlans),
    regions: optional(NodeRegions),
    priceItems: optional(NodePriceItems),
    packages: optional(UserTrafficPackages),
  },
  setup({ db, config, clock, deps, serve, contribute, every }) {
    const tables = db<Tables & ChargeTables>();
    const [bills, tariff] = [userBillStore(tables), tariffOf(config)];
    const stores = { bills, charges: chargeStore(tables) };
    const generator = new BillGenerator(stores, deps, tariff, clock);
    serve(
      UserBillService,
      userBillHandlers({ ...deps, bills, lists: userBillLists(tables), generator, tariff, clock }),
    );
    contribute(UserRemovals, billRemoval(stores));
    contribute(LateTrafficListeners, lateTrafficListener(stores.charges));
    contribute(UserSuspensions, billSuspension(bills, tariff, clock));
    const reminding = { bills, tariff, clock, events: deps.events };
    every({ name: "remind", everySeconds: 3600, run: (call) => remind(call, reminding) });
    const automatic = new AutomaticBilling(stores, generator, clock, tariff.graceDays);
    if (config.automatic) every({ name: "generate", everySeconds: 3600, run: (call) => automatic.run(call) });
  },
});
export default plugin;
