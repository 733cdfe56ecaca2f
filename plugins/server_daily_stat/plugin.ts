import { definePlugin, optional, type Plugin } from "edgehelm";
import { Events } from "edgehelm/runtime";
import { AdminDashboard } from "../admin/contract.ts";
import { Nodes } from "../node/contract.ts";
import { ForeignRows, pastDaysSetting } from "../node_base/contract.ts";
import { NodeRegions } from "../node_region/contract.ts";
import { Servers } from "../server/contract.ts";
import { Attacks } from "./attacks.ts";
import { statsContract } from "./bills.ts";
import { LateTrafficListeners, ServerDailyStats } from "./contract.ts";
import { trafficFigures } from "./dashboard.ts";
import { EVENTS } from "./events.ts";
import { serverDailyStatHandlers } from "./handlers.ts";
import * as createServerDailyStats from "./migrations/0001_create_server_daily_stats.ts";
import * as createTotalStats from "./migrations/0002_create_total_stats.ts";
import * as countAttacks from "./migrations/0003_count_attacks.ts";
import manifest from "./plugin.json" with { type: "json" };
import { ServerDailyStatConfigSchema } from "./proto/config_pb.ts";
import { removeOld } from "./retention.ts";
import { ServerDailyStatService } from "./proto/service_server_daily_stat_pb.ts";
import { statStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: {
    "0001_create_server_daily_stats": createServerDailyStats,
    "0002_create_total_stats": createTotalStats,
    "0003_count_attacks": countAttacks,
  },
  events: EVENTS,
  config: ServerDailyStatConfigSchema,
  requires: { servers: Servers, nodes: optional(Nodes), regions: optional(NodeRegions), events: Events },
  setup({ db, config, clock, log, metrics, deps, serve, provide, contribute, contributions, every }) {
    const tables = db<Tables>();
    const stats = statStore(tables);
    const attacks = new Attacks({ db: tables, events: deps.events, clock, requests: config.attackRequests });
    const dropped = metrics.counter("foreign_rows_total", "Uploaded statistics of sites that the node does not serve");
    const foreign = new ForeignRows({ count: (rows) => dropped.add(rows), log, clock });
    const pastDays = pastDaysSetting(config.pastDays);
    serve(
      ServerDailyStatService,
      serverDailyStatHandlers({
        stats,
        clock,
        foreign,
        attacks,
        pastDays,
        lateTraffic: contributions(LateTrafficListeners),
        ...deps,
      }),
    );
    provide(ServerDailyStats, statsContract(stats, clock));
    contribute(AdminDashboard, trafficFigures(stats, clock));
    every({ name: "remove_old", everySeconds: 3600, run: (call) => removeOld(call, stats, clock) });
    every({ name: "forget_attacks", everySeconds: 3600, run: (call) => attacks.removeOld(call) });
  },
});
export default plugin;
