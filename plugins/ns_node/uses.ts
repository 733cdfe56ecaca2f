import type { Call, UseCheck } from "edgehelm";
import type { NSNodeStore } from "./store.ts";

/** The nodes in a cluster keep it from being deleted. */
export function clusterUses(nodes: NSNodeStore): UseCheck {
  return {
    async usersOf(call: Call, nsClusterId: bigint, limit: number) {
      return (await nodes.usingCluster.all(call, { nsClusterId, limit })).map(({ name }) => `DNS node "${name}"`);
    },
  };
}

/** The nodes that log in with a grant keep it from being deleted. */
export function grantUses(nodes: NSNodeStore): UseCheck {
  return {
    async usersOf(call: Call, grantId: bigint, limit: number) {
      return (await nodes.usingGrant.all(call, { grantId, limit })).map(({ name }) => `DNS node "${name}"`);
    },
  };
}
