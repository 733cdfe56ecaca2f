import { definePlugin, optional, type Plugin } from "edgehelm";
import { Nodes } from "../node/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { Servers } from "../server/contract.ts";
import { UserRemovals } from "../user/contract.ts";
import { HTTPAccessLogConfigSchema } from "./config_pb.ts";
import { httpAccessLogHandlers } from "./handlers.ts";
import { Intake } from "./intake.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { removeOld } from "./retention.ts";
import { HTTPAccessLogService } from "./service_http_access_log_pb.ts";
import { rowLogStore, type Tables } from "./store.ts";

const RETENTION_DAYS = 14;
const PARTITION_ROWS = 500_000n;

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  config: HTTPAccessLogConfigSchema,
  requires: { servers: Servers, nodes: optional(Nodes), clusters: optional(NodeClusters) },
  setup({ db, clock, metrics, config, deps, serve, contribute, every }) {
    const logs = rowLogStore(db<Tables>(), config.partitionRows || PARTITION_ROWS);
    const intake = new Intake({ samplingPercent: 100, rowsPerSecond: Infinity, pendingRows: 100_000 }, clock, metrics);
    serve(HTTPAccessLogService, httpAccessLogHandlers({ logs, intake, clock, ...deps }));
    contribute(UserRemovals, {
      removeSome: (call, userId, limit) => logs.removeOfUser(call, userId, limit),
    });
    const days = config.retentionDays || RETENTION_DAYS;
    every({ name: "remove_old", everySeconds: 600, run: (call) => removeOld(call, logs, clock, days) });
  },
});
export default plugin;
