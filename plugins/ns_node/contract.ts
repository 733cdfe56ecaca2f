import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** What other plugins may ask of DNS nodes. */
export interface NSNodes {
  /**
   * The cluster whose things the caller may follow: a DNS node's own. 0 for everybody else, who follow everything.
   *
   * @throws `ns_node.not_found` for a node that does not exist any more
   */
  followedCluster(call: Call): Promise<bigint>;
}
export const NSNodes: Contract<NSNodes> = defineContract("ns_node");

/** What happens to DNS nodes, for plugins that tell people of it or keep something about nodes. */
export interface NSNodeWatcher {
  /** A node that was active is not any more: once for each time. */
  wentOffline?(call: Call, node: { readonly id: bigint; readonly name: string }): Promise<void>;
  /** A node that was told to be offline is active again. */
  cameOnline?(call: Call, node: { readonly id: bigint; readonly name: string }): Promise<void>;
  /** A node was deleted; what belongs to it, such as its logs, goes too. */
  deleted?(call: Call, nsNodeId: bigint): Promise<void>;
}
export const NSNodeWatchers: ExtensionPoint<NSNodeWatcher> = defineExtensionPoint("ns_node.watchers");

/** Something that DNS nodes follow by version, such as the domains of their cluster. */
export interface NSNodeFeed {
  /** What a connected node is told when there is more: `nsDomainChanged`. */
  readonly type: string;
  /** The newest version that concerns the nodes of a cluster; 0 when there is none. */
  latestVersion(call: Call, nsClusterId: bigint): Promise<bigint>;
}
export const NSNodeFeeds: ExtensionPoint<NSNodeFeed> = defineExtensionPoint("ns_node.feeds");
