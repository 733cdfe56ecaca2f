import { type Call, choiceField, type Handlers, idField } from "edgehelm";
import type { MetricItems } from "../metric_item/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { NodeClusterMetricItemService } from "./proto/service_node_cluster_metric_item_pb.ts";
import type { NodeClusterMetricItemStore, Pair } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly pairs: NodeClusterMetricItemStore;
  readonly clusters: NodeClusters;
  readonly items: MetricItems;
}

/** Implements every operation of the service. */
export function nodeClusterMetricItemHandlers(
  { pairs, clusters, items }: Deps,
): Handlers<typeof NodeClusterMetricItemService> {
  async function requirePair(call: Call, request: Pair): Promise<Pair> {
    const nodeClusterId = idField("nodeClusterId", request.nodeClusterId);
    const metricItemId = idField("metricItemId", request.metricItemId);
    await clusters.requireCluster(call, "nodeClusterId", nodeClusterId);
    await items.requireItem(call, "metricItemId", metricItemId);
    return { nodeClusterId, metricItemId };
  }

  return {
    async enableNodeClusterMetricItem(request, call) {
      const pair = await requirePair(call, request);
      const isNew = await pairs.insert.run(call, pair) > 0n;
      if (isNew) await clusters.configChanged(call, [pair.nodeClusterId]);
      return {};
    },

    async disableNodeClusterMetricItem(request, call) {
      const pair = await requirePair(call, request);
      const existed = await pairs.delete.run(call, pair) > 0n;
      if (existed) await clusters.configChanged(call, [pair.nodeClusterId]);
      return {};
    },

    async findAllNodeClusterMetricItems({ nodeClusterId, category }, call) {
      if (category !== "") choiceField("category", category, ["http", "tcp", "udp"]);
      const ids = (await pairs.ofCluster.all(call, { nodeClusterId })).map(({ metricItemId }) => metricItemId);
      const found = await items.byIds(call, ids);
      const metricItems = ids.flatMap((id) => found.get(id) ?? []);
      return { metricItems: metricItems.filter((item) => category === "" || item.category === category) };
    },

    async existsNodeClusterMetricItem({ nodeClusterId, metricItemId }, call) {
      return { exists: await pairs.find.first(call, { nodeClusterId, metricItemId }) !== undefined };
    },

    async findAllNodeClustersWithMetricItemId({ metricItemId }, call) {
      const ids = (await pairs.ofItem.all(call, { metricItemId })).map(({ nodeClusterId }) => nodeClusterId);
      const found = await clusters.summaries(call, ids);
      return { nodeClusters: ids.flatMap((id) => found.get(id) ?? []) };
    },
  };
}
