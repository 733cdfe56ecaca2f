import { definePlugin, optional, type Plugin } from "edgehelm";
import { Nodes } from "../node/contract.ts";
import { Servers } from "../server/contract.ts";
import { statsContract } from "./bills.ts";
import { ServerDailyStats } from "./contract.ts";
import { serverDailyStatHandlers } from "./handlers.ts";
import * as createServerDailyStats from "./migrations/0001_create_server_daily_stats.ts";
import manifest from "./plugin.json" with { type: "json" };
import { removeOld } from "./retention.ts";
import { ServerDailyStatService } from "./proto/service_server_daily_stat_pb.ts";
import { statStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_server_daily_stats": createServerDailyStats },
  requires: { servers: Servers, nodes: optional(Nodes) },
  setup({ db, clock, deps, serve, provide, every }) {
    const stats = statStore(db<Tables>());
    serve(ServerDailyStatService, serverDailyStatHandlers({ stats, clock, ...deps }));
    provide(ServerDailyStats, statsContract(stats));
    every({ name: "remove_old", everySeconds: 3600, run: (call) => removeOld(call, stats, clock) });
  },
});
export default plugin;
