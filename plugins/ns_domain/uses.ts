import type { Call, UseCheck } from "edgehelm";
import type { NSNodeFeed } from "../ns_node/contract.ts";
import type { NSDomainFeed, NSDomainList } from "./store_tables.ts";

/** Notifies the nodes of a cluster of changed domains. */
export function nodeFeed(feed: NSDomainFeed): NSNodeFeed {
  return { type: "nsDomainChanged", latestVersion: (call, clusterId) => feed.latest(call, clusterId) };
}

/** Finds the domains of a cluster, which prevent its deletion. */
export function clusterUses(list: NSDomainList): UseCheck {
  return usesBy(list, (nsClusterId) => ({ nsClusterId }));
}

/** Finds the domains in a group, which prevent its deletion. */
export function groupUses(list: NSDomainList): UseCheck {
  return usesBy(list, (nsDomainGroupId) => ({ nsDomainGroupId }));
}

function usesBy(list: NSDomainList, filterFor: (id: bigint) => Parameters<NSDomainList["page"]>[1]): UseCheck {
  return {
    async referencesTo(call: Call, id: bigint, limit: number) {
      const rows = await list.page(call, filterFor(id), { offset: 0n, size: BigInt(limit) });
      return rows.map(({ name }) => `domain "${name}"`);
    },
  };
}
