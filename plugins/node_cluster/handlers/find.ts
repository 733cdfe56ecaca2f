import { type Call, type Handlers, invalid, pageOf } from "edgehelm";
import { countRows, listRows } from "edgehelm/rows";
import { clusterMessage, visibleCluster } from "../clusters.ts";
import type { NodeClusterService } from "../proto/service_node_cluster_pb.ts";
import type { Reference } from "../store.ts";
import type { Deps } from "./deps.ts";

type FindOperations = Extract<
  keyof Handlers<typeof NodeClusterService>,
  `findEnabled${string}` | `findAll${string}` | `findLatest${string}` | `list${string}` | `count${string}`
>;

const ALL = { keyword: "" };

function keywordOf({ keyword }: { readonly keyword: string }) {
  return { keyword: keyword.trim() };
}

/** Implements the operations that find, list and count clusters. */
export function findHandlers({ clusters, access }: Deps): Pick<Handlers<typeof NodeClusterService>, FindOperations> {
  async function findUsing(call: Call, column: Reference, id: bigint) {
    return { nodeClusters: (await clusters.withReference[column].rows.all(call, { id })).map(clusterMessage) };
  }

  function countUsing(call: Call, column: Reference, id: bigint) {
    return clusters.withReference[column].count.one(call, { id });
  }

  return {
    async findEnabledNodeCluster({ nodeClusterId }, call) {
      const row = await clusters.find(call, nodeClusterId);
      return { nodeCluster: row && await visibleCluster(call, access, row) };
    },

    findAllEnabledNodeClusters: listRows(clusters.lists.pinnedFirst, "nodeClusters", clusterMessage, () => ALL),

    async findLatestNodeClusters({ size }, call) {
      const rows = await clusters.lists.newestFirst.page(call, ALL, pageOf({ size }));
      return { nodeClusters: rows.map(clusterMessage) };
    },

    countAllEnabledNodeClusters: countRows(clusters.lists.newestFirst, keywordOf),

    async listEnabledNodeClusters(request, call) {
      const page = pageOf(request);
      const { idAsc, idDesc } = request;
      if (idAsc && idDesc) throw invalid("idAsc", "must not be set together with idDesc");
      const list = clusters.lists[idAsc ? "oldestFirst" : idDesc ? "newestFirst" : "pinnedFirst"];
      return { nodeClusters: (await list.page(call, keywordOf(request), page)).map(clusterMessage) };
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
