import { definePlugin, optional, type Plugin } from "edgehelm";
import { Commands, hostPart } from "edgehelm/runtime";
import { Nodes } from "../node/contract.ts";
import { pastDaysSetting } from "../node_base/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { Servers } from "../server/contract.ts";
import { UserRemovals } from "../user/contract.ts";
import { ChosenStore } from "./chosen_store.ts";
import { logCommands } from "./commands.ts";
import { LogStoreDrivers } from "./contract.ts";
import { errors } from "./errors.ts";
import { httpAccessLogHandlers } from "./handlers.ts";
import { Intake } from "./intake/intake.ts";
import { LogOwners } from "./intake/owners.ts";
import type { LogFiles } from "./log_files.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { HTTPAccessLogConfigSchema } from "./proto/config_pb.ts";
import { HTTPAccessLogService } from "./proto/service_http_access_log_pb.ts";
import { RetentionJob } from "./retention_job.ts";
import { rowLogStore } from "./rows/store.ts";
import type { Tables } from "./rows/store_tables.ts";
import { intakeLimits, refuseMoved, retentionLimits } from "./settings.ts";
import { ROWS } from "./store_choice.ts";
import { type RemovalTables, UserLogRemovals } from "./store_removals.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  config: HTTPAccessLogConfigSchema,
  host: hostPart<LogFiles>(),
  requires: { servers: Servers, nodes: optional(Nodes), clusters: optional(NodeClusters) },
  setup({ db, clock, metrics, log, config, deps, host: files, isShared, ...setup }) {
    refuseMoved(config);
    setup.contribute(LogStoreDrivers, {
      name: ROWS,
      isLocal: false,
      open: (partitionRows) => ({ store: rowLogStore(db<Tables>(), partitionRows), close: () => Promise.resolve() }),
    });
    const logs = new ChosenStore();
    setup.onStart(() => logs.open(config, setup.contributions(LogStoreDrivers), isShared, log));
    setup.onStop(() => logs.close());
    const owners = new LogOwners(deps.servers, deps.nodes);
    const intake = new Intake(intakeLimits(config), clock, metrics, log);
    const pastDays = pastDaysSetting(config.pastDays);
    setup.serve(HTTPAccessLogService, httpAccessLogHandlers({ logs, intake, owners, clock, pastDays, ...deps }));

    const removals = new UserLogRemovals(db<RemovalTables>(), logs);
    setup.contribute(UserRemovals, {
      async removeSome(call, userId) {
        await removals.note(call, userId);
        return 0;
      },
    });
    setup.every({ name: "remove_of_users", everySeconds: 60, run: (call) => removals.run(call) });
    const retention = new RetentionJob(logs, retentionLimits(config), clock, metrics);
    setup.every({ name: "keep", everySeconds: 60, run: (call) => retention.run(call) });
    for (const command of logCommands({ logs, owners, files, clock, pastDays })) setup.contribute(Commands, command);
  },
});
export default plugin;
