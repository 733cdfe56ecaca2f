import type { Call, UseCheck } from "edgehelm";
import type { NodeConfigPart } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { HTTPCachePolicies } from "./contract.ts";

/** Reports the clusters that use a policy, which therefore cannot be deleted. */
export function clusterUses(clusters: NodeClusters): UseCheck {
  return {
    async referencesTo(call, policyId, limit) {
      const users = await clusters.usingPolicy(call, "http_cache_policy", policyId);
      return users.slice(0, limit).map(({ name }) => `cluster "${name}"`);
    },
  };
}

/** Marks the clusters that use a policy for update. */
export async function markClusters(call: Call, clusters: NodeClusters | undefined, policyId: bigint): Promise<void> {
  const users = await clusters?.usingPolicy(call, "http_cache_policy", policyId) ?? [];
  if (users.length > 0) await clusters?.configChanged(call, users.map(({ id }) => id));
}

/** Composes the part of a node's configuration that contains the policies of its clusters. */
export function nodeConfigPart(clusters: NodeClusters, policies: HTTPCachePolicies): NodeConfigPart {
  return {
    name: "httpCachePolicies",
    async compose(call, { clusterIds }) {
      const ids = new Set<bigint>();
      for (const clusterId of clusterIds) ids.add(await clusters.policyOf(call, "http_cache_policy", clusterId));
      const configs = await Promise.all([...ids].map((id) => policies.config(call, id)));
      return `[${configs.flatMap((config) => config === undefined ? [] : new TextDecoder().decode(config)).join(",")}]`;
    },
  };
}
