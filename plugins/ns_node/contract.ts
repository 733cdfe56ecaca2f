import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** The contract through which other plugins use DNS nodes. */
export interface NSNodes {
  /**
   * Returns the cluster whose data the caller may fetch: for a DNS node its own cluster, for other callers 0, which
   * means all clusters.
   *
   * @throws `ns_node.not_found` if the calling node was deleted
   */
  followedCluster(call: Call): Promise<bigint>;
  /**
   * Returns the calling DNS node.
   *
   * @throws `ns_node.not_found` if it was deleted
   */
  callingNode(call: Call): Promise<{ readonly id: bigint; readonly nsClusterId: bigint }>;
  /** Returns the ids of the nodes of a cluster that are on and active, at most 1000. */
  activeNodes(call: Call, nsClusterId: bigint): Promise<readonly bigint[]>;
  /** Returns the names of nodes by their ids, for any caller; nodes that do not exist are absent from the map. */
  names(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
}
export const NSNodes: Contract<NSNodes> = defineContract("ns_node");

/** Is notified of events of DNS nodes, for plugins that send messages about nodes or store data about them. */
export interface NSNodeWatcher {
  /** Is called once when a node is no longer active. */
  wentOffline?(call: Call, node: { readonly id: bigint; readonly name: string }): Promise<void>;
  /** Is called when a node is active again after `wentOffline`. */
  cameOnline?(call: Call, node: { readonly id: bigint; readonly name: string }): Promise<void>;
  /** Is called when a node is deleted, and deletes the data of the plugin about the node. */
  deleted?(call: Call, nsNodeId: bigint): Promise<void>;
}
export const NSNodeWatchers: ExtensionPoint<NSNodeWatcher> = defineExtensionPoint("ns_node.watchers");

/** A kind of data that DNS nodes fetch by version, such as the domains of their cluster. */
export interface NSNodeFeed {
  /** The type that notifies connected nodes of changes, such as `nsDomainChanged`. */
  readonly type: string;
  /** Returns the latest version that affects the nodes of a cluster; 0 when there is none. */
  latestVersion(call: Call, nsClusterId: bigint): Promise<bigint>;
  /** Has a function called after each change by this instance, so that its nodes need not wait for a poll. */
  onChange(listener: () => void): void;
}
export const NSNodeFeeds: ExtensionPoint<NSNodeFeed> = defineExtensionPoint("ns_node.feeds");
