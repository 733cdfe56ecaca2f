import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** As much of a DNS cluster as other plugins need. */
export interface NSClusterSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The host names of its name servers, without a trailing dot. */
  readonly hosts: readonly string[];
}

/** What other plugins may ask of DNS clusters. */
export interface NSClusters {
  /** Clusters that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSClusterSummary>>;
  /** Refuses, naming `field`, unless the cluster exists and is not deleted. */
  requireCluster(call: Call, field: string, clusterId: bigint): Promise<NSClusterSummary>;
  /** The cluster that serves users who name none: the oldest one that is turned on. */
  defaultCluster(call: Call): Promise<NSClusterSummary | undefined>;
}
export const NSClusters: Contract<NSClusters> = defineContract("ns_cluster");

/** Where plugins say what uses a cluster. */
export const NSClusterUses: ExtensionPoint<UseCheck> = defineExtensionPoint("ns_cluster.uses");
