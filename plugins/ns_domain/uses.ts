import type { UseCheck } from "edgehelm";
import { usedInList } from "edgehelm/rows";
import type { NSNodeFeed } from "../ns_node/contract.ts";
import type { NSDomainFeed, NSDomainList } from "./store_tables.ts";

/** Notifies the nodes of a cluster of changed domains. */
export function nodeFeed(feed: NSDomainFeed): NSNodeFeed {
  return { type: "nsDomainChanged", latestVersion: (call, clusterId) => feed.latest(call, clusterId) };
}

const describe = ({ name }: { readonly name: string }) => `domain "${name}"`;

/** Finds the domains of a cluster, which prevent its deletion. */
export function clusterUses(list: NSDomainList): UseCheck {
  return usedInList(list, (nsClusterId) => ({ nsClusterId }), describe);
}

/** Finds the domains in a group, which prevent its deletion. */
export function groupUses(list: NSDomainList): UseCheck {
  return usedInList(list, (nsDomainGroupId) => ({ nsDomainGroupId }), describe);
}
