import { definePlugin, type Plugin } from "edgehelm";
import { hostPart } from "edgehelm/runtime";
import { LogStoreDrivers, type LogStoreHost } from "../http_access_log/contract.ts";
import manifest from "./plugin.json" with { type: "json" };
import { AccessLogClickHouseConfigSchema } from "./proto/config_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  config: AccessLogClickHouseConfigSchema,
  host: hostPart<LogStoreHost>(),
  setup({ host, clock, log, contribute }) {
    contribute(LogStoreDrivers, {
      name: "clickhouse",
      isLocal: false,
      open: host && ((partitionRows) => host.store.open({ clock, log, partitionRows })),
    });
  },
});
export default plugin;
