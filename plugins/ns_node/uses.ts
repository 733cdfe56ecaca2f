import type { Call, UseCheck } from "edgehelm";
import type { AddressedNodes } from "../node_ip_address/contract.ts";
import type { NodeLogCluster } from "../node_log/contract.ts";
import type { NSNodeStore } from "./store.ts";

/** Finds the nodes in a cluster, which prevent its deletion. */
export function clusterUses(nodes: NSNodeStore): UseCheck {
  return {
    async referencesTo(call: Call, nsClusterId: bigint, limit: number) {
      return (await nodes.usingCluster.all(call, { nsClusterId, limit })).map(({ name }) => `DNS node "${name}"`);
    },
  };
}

/** Finds the nodes whose login uses a grant, which prevent its deletion. */
export function grantUses(nodes: NSNodeStore): UseCheck {
  return {
    async referencesTo(call: Call, grantId: bigint, limit: number) {
      return (await nodes.usingGrant.all(call, { grantId, limit })).map(({ name }) => `DNS node "${name}"`);
    },
  };
}

/** Supplies DNS nodes to the plugin `node_ip_address`. */
export function addressedNodes(nodes: NSNodeStore): AddressedNodes {
  return {
    role: "dns",
    async find(call, id) {
      const node = await nodes.byId.first(call, { id });
      return node && { isOn: node.isOn === 1n, nodeClusterId: node.nsClusterId };
    },
  };
}

/** Supplies the DNS nodes of clusters to the plugin `node_log`. */
export function logClusters(nodes: NSNodeStore): NodeLogCluster {
  return {
    role: "dns",
    async nodesOf(call, nsClusterId) {
      return (await nodes.idsOfCluster.all(call, { nsClusterId })).map(({ id }) => id);
    },
  };
}
