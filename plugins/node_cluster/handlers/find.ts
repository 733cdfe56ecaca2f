import { type Call, type Handlers, invalid, pageOf } from "edgehelm";
import { findRow } from "edgehelm/rows";
import { containing } from "edgehelm/storage";
import { clusterMessage } from "../clusters.ts";
import type { NodeClusterService } from "../proto/service_node_cluster_pb.ts";
import type { Reference } from "../store.ts";
import type { Deps } from "./deps.ts";

type FindOperations = Extract<
  keyof Handlers<typeof NodeClusterService>,
  `findEnabled${string}` | `findAll${string}` | `findLatest${string}` | `list${string}` | `count${string}`
>;

/** Implements the operations that find, list and count clusters. */
export function findHandlers({ clusters }: Deps): Pick<Handlers<typeof NodeClusterService>, FindOperations> {
  async function findUsing(call: Call, column: Reference, id: bigint) {
    return { nodeClusters: (await clusters.withReference[column].rows.all(call, { id })).map(clusterMessage) };
  }

  function countUsing(call: Call, column: Reference, id: bigint) {
    return clusters.withReference[column].count.one(call, { id });
  }

  return {
    findEnabledNodeCluster: findRow(clusters, "nodeClusterId", "nodeCluster", clusterMessage),

    async findAllEnabledNodeClusters(_request, call) {
      return { nodeClusters: (await clusters.all.all(call, {})).map(clusterMessage) };
    },

    async findLatestNodeClusters({ size }, call) {
      const rows = await clusters.lists.newestFirst.page.all(call, pageOf({ size }));
      return { nodeClusters: rows.map(clusterMessage) };
    },

    async countAllEnabledNodeClusters({ keyword }, call) {
      if (keyword.trim() === "") return await clusters.count.one(call, {});
      const [row] = await clusters.countMatching.scan(call, { pattern: containing(keyword.trim()) });
      return { count: row!.count };
    },

    async listEnabledNodeClusters(request, call) {
      const page = pageOf(request);
      const { idAsc, idDesc, keyword } = request;
      if (idAsc && idDesc) throw invalid("idAsc", "must not be set together with idDesc");
      const list = clusters.lists[idAsc ? "oldestFirst" : idDesc ? "newestFirst" : "pinnedFirst"];
      const rows = keyword.trim() === ""
        ? await list.page.all(call, page)
        : await list.pageMatching.scan(call, { ...page, pattern: containing(keyword.trim()) });
      return { nodeClusters: rows.map(clusterMessage) };
    },

    countAllEnabledNodeClustersWithNodeGrantId: ({ nodeGrantId }, call) => countUsing(call, "nodeGrantId", nodeGrantId),
    findAllEnabledNodeClustersWithNodeGrantId: ({ nodeGrantId }, call) => findUsing(call, "nodeGrantId", nodeGrantId),
    countAllEnabledNodeClustersWithHTTPCachePolicyId: ({ httpCachePolicyId }, call) =>
      countUsing(call, "httpCachePolicyId", httpCachePolicyId),
    findAllEnabledNodeClustersWithHTTPCachePolicyId: ({ httpCachePolicyId }, call) =>
      findUsing(call, "httpCachePolicyId", httpCachePolicyId),
    countAllEnabledNodeClustersWithHTTPFirewallPolicyId: ({ httpFirewallPolicyId }, call) =>
      countUsing(call, "httpFirewallPolicyId", httpFirewallPolicyId),
    findAllEnabledNodeClustersWithHTTPFirewallPolicyId: ({ httpFirewallPolicyId }, call) =>
      findUsing(call, "httpFirewallPolicyId", httpFirewallPolicyId),
  };
}
