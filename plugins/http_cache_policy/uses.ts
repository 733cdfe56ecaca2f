import type { Call, UseCheck } from "edgehelm";
import type { NodeConfigPart } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { HTTPCachePolicies } from "./contract.ts";

/** The clusters that use a policy keep it from being deleted. */
export function clusterUses(clusters: NodeClusters): UseCheck {
  return {
    async referencesTo(call, policyId, limit) {
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

/** What nodes are told: the policies of their clusters. */
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
