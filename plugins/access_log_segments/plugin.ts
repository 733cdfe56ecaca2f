import { definePlugin, type Plugin } from "edgehelm";
import { hostPart } from "edgehelm/runtime";
import { LogStoreDrivers, type LogStoreHost } from "../http_access_log/contract.ts";
import manifest from "./plugin.json" with { type: "json" };
import { AccessLogSegmentsConfigSchema } from "./proto/config_pb.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  config: AccessLogSegmentsConfigSchema,
  host: hostPart<LogStoreHost>(),
  setup({ host, clock, log, contribute }) {
    contribute(LogStoreDrivers, {
      name: "segments",
      isLocal: true,
      open: host && ((partitionRows) => host.store.open({ clock, log, partitionRows })),
    });
  },
});
export default plugin;
