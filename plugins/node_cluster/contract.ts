import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A cluster of edge nodes as it stands beside other things. */
export interface NodeClusterSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** What a cluster can be set to use. */
export type ClusterPolicy = "http_cache_policy" | "http_firewall_policy";

/** What other plugins may ask of clusters of edge nodes. */
export interface NodeClusters {
  /** Clusters that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NodeClusterSummary>>;
  /** Refuses, naming `field`, unless the cluster exists. */
  requireCluster(call: Call, field: string, clusterId: bigint): Promise<void>;
  /** Live clusters that use a policy, by id. */
  usingPolicy(call: Call, kind: ClusterPolicy, policyId: bigint): Promise<readonly NodeClusterSummary[]>;
  /** The policy that a cluster uses; 0 when it has none or does not exist. */
  policyOf(call: Call, kind: ClusterPolicy, clusterId: bigint): Promise<bigint>;
  /** Marks clusters for update: their nodes are to fetch their configuration again. */
  configChanged(call: Call, clusterIds: readonly bigint[]): Promise<void>;
}
export const NodeClusters: Contract<NodeClusters> = defineContract("node_cluster");

/** Where plugins say what uses a cluster. */
export const NodeClusterUses: ExtensionPoint<UseCheck> = defineExtensionPoint("node_cluster.uses");
