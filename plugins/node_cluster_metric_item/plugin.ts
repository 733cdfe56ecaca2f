import { definePlugin, type Plugin } from "edgehelm";
import { NodeConfigParts } from "../node/contract.ts";
import { MetricItemListeners, MetricItems, MetricItemUses } from "../metric_item/contract.ts";
import { NodeClusterDeletions, NodeClusters } from "../node_cluster/contract.ts";
import { countedItems } from "./counted_items.ts";
import { nodeClusterMetricItemHandlers } from "./handlers.ts";
import * as createNodeClusterMetricItems from "./migrations/0001_create_node_cluster_metric_items.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodeClusterMetricItemService } from "./proto/service_node_cluster_metric_item_pb.ts";
import { nodeClusterMetricItemStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_cluster_metric_items": createNodeClusterMetricItems },
  requires: { clusters: NodeClusters, items: MetricItems },
  setup({ db, deps: { clusters, items }, serve, contribute }) {
    const pairs = nodeClusterMetricItemStore(db<Tables>());
    serve(NodeClusterMetricItemService, nodeClusterMetricItemHandlers({ pairs, clusters, items }));
    contribute(NodeConfigParts, countedItems(pairs, items));
    contribute(MetricItemUses, {
      async referencesTo(call, metricItemId, limit) {
        const rows = await pairs.someOfItem.all(call, { metricItemId, limit });
        const found = await clusters.summaries(call, rows.map(({ nodeClusterId }) => nodeClusterId));
        return [...found.values()].map(({ name }) => `node cluster "${name}"`);
      },
    });
    contribute(MetricItemListeners, {
      async changed(call, metricItemId) {
        const rows = await pairs.ofItem.all(call, { metricItemId });
        await clusters.configChanged(call, rows.map(({ nodeClusterId }) => nodeClusterId));
      },
    });
    contribute(NodeClusterDeletions, {
      deleted: async (call, nodeClusterId) => void await pairs.deleteOfCluster.run(call, { nodeClusterId }),
    });
  },
});
export default plugin;
