import type { UseCheck } from "edgehelm";
import type { NodeConfigPart } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { HTTPFirewallPolicies } from "./contract.ts";

/** Reports the clusters that use a policy, which therefore cannot be deleted. */
export function clusterUses(clusters: NodeClusters): UseCheck {
  return {
    async referencesTo(call, policyId, limit) {
      const users = await clusters.usingPolicy(call, "http_firewall_policy", policyId);
      return users.slice(0, limit).map(({ name }) => `cluster "${name}"`);
    },
  };
}

/** Composes the part of a node's configuration that contains the policies of its clusters. */
export function nodeConfigPart(clusters: NodeClusters, policies: HTTPFirewallPolicies): NodeConfigPart {
  return {
    name: "httpFirewallPolicies",
    async compose(call, { clusterIds }) {
      const ids = new Set<bigint>();
      for (const clusterId of clusterIds) ids.add(await clusters.policyOf(call, "http_firewall_policy", clusterId));
      const configs = await Promise.all([...ids].map((id) => policies.config(call, id)));
      return `[${configs.flatMap((config) => config === undefined ? [] : new TextDecoder().decode(config)).join(",")}]`;
    },
  };
}
