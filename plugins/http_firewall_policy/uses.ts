import type { UseCheck } from "edgehelm";
import type { NodeClusters } from "../node_cluster/contract.ts";

/** The clusters that use a policy keep it from being deleted. */
export function clusterUses(clusters: NodeClusters): UseCheck {
  return {
    async usersOf(call, policyId, limit) {
      const using = await clusters.usingPolicy(call, "http_firewall_policy", policyId);
      return using.slice(0, limit).map(({ name }) => `cluster "${name}"`);
    },
  };
}
