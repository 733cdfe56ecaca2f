import { definePlugin, optional, type Plugin } from "edgehelm";
import { NodeDeletions, Nodes } from "../node/contract.ts";
import { ForeignRows, pastDaysSetting } from "../node_base/contract.ts";
import { NodeLogConfigSchema } from "./proto/config_pb.ts";
import { NodeLogClusters, NodeLogs, NodeLogSubjects } from "./contract.ts";
import { nodeLogHandlers } from "./handlers.ts";
import { edgeNodes, nodeLogs } from "./logs.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { deleteLogs } from "./retention.ts";
import { NodeLogService } from "./proto/service_node_log_pb.ts";
import { nodeLogStore, type Tables } from "./store.ts";
import { nodeLogChanges } from "./store_changes.ts";
import { nodeLogCounts } from "./store_counts.ts";
import { nodeLogLists } from "./store_lists.ts";
import { nodeLogSearch } from "./store_search.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  config: NodeLogConfigSchema,
  requires: { nodes: optional(Nodes) },
  setup({ db, config, clock, log, metrics, deps: { nodes }, serve, provide, contribute, contributions, every }) {
    const tables = db<Tables>();
    const otherRoles = contributions(NodeLogClusters);
    const clusters = () => nodes === undefined ? otherRoles : [edgeNodes(nodes), ...otherRoles];
    const [counts, search] = [nodeLogCounts(tables), nodeLogSearch(tables)];
    const changes = nodeLogChanges(tables, counts, search);
    const lists = nodeLogLists(tables, counts, search);
    const dropped = metrics.counter("foreign_rows_total", "Uploaded logs about sites that the node does not serve");
    const foreign = new ForeignRows({ count: (rows) => dropped.add(rows), log, clock });
    const logDeps = {
      logs: nodeLogStore(tables),
      counts,
      changes,
      lists,
      clock,
      clusters,
      pastDays: pastDaysSetting(config.pastDays),
      foreign,
      subjects: contributions(NodeLogSubjects),
    };
    const contract = nodeLogs(logDeps);
    serve(NodeLogService, nodeLogHandlers(logDeps));
    provide(NodeLogs, contract);
    contribute(NodeDeletions, { deleted: (call, nodeId) => contract.removeOfNode(call, "node", nodeId) });
    const retention = { days: config.keepDays || 7, infoDays: config.keepInfoDays || 3 };
    every({ name: "index", everySeconds: 10, run: (call) => search.catchUp(call) });
    every({ name: "remove_old", everySeconds: 600, run: (call) => deleteLogs(call, logDeps, retention) });
  },
});
export default plugin;
