import type { UseCheck, Uses } from "edgehelm";
import { usedInList } from "edgehelm/rows";
import { NSClusterUses } from "../ns_cluster/contract.ts";
import { NSDomainGroupUses } from "../ns_domain_group/contract.ts";
import type { NSNodeFeed } from "../ns_node/contract.ts";
import type { NSDomainFeed, NSDomainList } from "./store_tables.ts";

/** Notifies the nodes of a cluster of changed domains. */
export function nodeFeed(feed: NSDomainFeed): NSNodeFeed {
  return {
    type: "nsDomainChanged",
    latestVersion: (call, clusterId) => feed.latest(call, clusterId),
    onChange: feed.onChange,
  };
}

const describe = ({ name }: { readonly name: string }) => `domain "${name}"`;

/** Finds the domains of a cluster and those in a group, which prevent its deletion. */
export function domainUses(list: NSDomainList): readonly (readonly [Uses, UseCheck])[] {
  return [
    [NSClusterUses, usedInList(list, (nsClusterId) => ({ nsClusterId }), describe)],
    [NSDomainGroupUses, usedInList(list, (nsDomainGroupId) => ({ nsDomainGroupId }), describe)],
  ];
}
