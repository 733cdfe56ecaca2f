import type { Call, UseCheck } from "edgehelm";
import type { AddressedNodes } from "../node_ip_address/contract.ts";
import type { NodeLogCluster } from "../node_log/contract.ts";
import type { NSNodeStore } from "./store.ts";

/** The nodes in a cluster keep it from being deleted. */
export function clusterUses(nodes: NSNodeStore): UseCheck {
  return {
    async referencesTo(call: Call, nsClusterId: bigint, limit: number) {
      return (await nodes.usingCluster.all(call, { nsClusterId, limit })).map(({ name }) => `DNS node "${name}"`);
    },
  };
}

/** The nodes that log in with a grant keep it from being deleted. */
export function grantUses(nodes: NSNodeStore): UseCheck {
  return {
    async referencesTo(call: Call, grantId: bigint, limit: number) {
      return (await nodes.usingGrant.all(call, { grantId, limit })).map(({ name }) => `DNS node "${name}"`);
    },
  };
}

/** DNS nodes as those that IP addresses can belong to. */
export function addressedNodes(nodes: NSNodeStore): AddressedNodes {
  return {
    role: "dns",
    async find(call, id) {
      const node = await nodes.byId.first(call, { id });
      return node && { isOn: node.isOn === 1n, nodeClusterId: node.nsClusterId };
    },
  };
}

/** DNS nodes as those whose logs are asked for by cluster. */
export function loggedNodes(nodes: NSNodeStore): NodeLogCluster {
  return {
    role: "dns",
    async nodesOf(call, nsClusterId) {
      return (await nodes.idsOfCluster.all(call, { nsClusterId })).map(({ id }) => id);
    },
  };
}
