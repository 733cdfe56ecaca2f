import type { Call, UseCheck } from "edgehelm";
import type { NodeClusters } from "../node_cluster/contract.ts";

/** The clusters that use a policy keep it from being deleted. */
export function clusterUses(clusters: NodeClusters): UseCheck {
  return {
    async usersOf(call, policyId, limit) {
      const using = await clusters.usingPolicy(call, "http_cache_policy", policyId);
      return using.slice(0, limit).map(({ name }) => `cluster "${name}"`);
    },
  };
}

/** Tells the clusters that use a policy that it changed. */
export async function markClusters(call: Call, clusters: NodeClusters | undefined, policyId: bigint): Promise<void> {
  const using = await clusters?.usingPolicy(call, "http_cache_policy", policyId) ?? [];
  if (using.length > 0) await clusters?.configChanged(call, using.map(({ id }) => id));
}
