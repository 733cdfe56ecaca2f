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

/** What the nodes of a cluster are told of it. */
export interface NodeClusterConfig {
  readonly id: bigint;
  /** Rises with every change that nodes must learn of. */
  readonly version: bigint;
  readonly httpCachePolicyId: bigint;
  readonly httpFirewallPolicyId: bigint;
  /** The SSH grant of nodes that have none of their own; 0 when there is none. */
  readonly nodeGrantId: bigint;
  readonly timeZone: string;
  readonly nodeMaxThreads: number;
  readonly autoOpenPorts: boolean;
  readonly autoInstallNftables: boolean;
  readonly autoSystemTuning: boolean;
  readonly autoTrimDisks: boolean;
  readonly maxConcurrentReads: number;
  readonly maxConcurrentWrites: number;
  /** JSON texts, in the shapes that the operations of NodeClusterService answer. */
  readonly clockJSON: Uint8Array;
  readonly ddosProtectionJSON: Uint8Array;
  readonly globalServerConfigJSON: Uint8Array;
}

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
  /** Marks every cluster for update. */
  configChangedEverywhere(call: Call): Promise<void>;
  /** The versions of what the nodes of live clusters must know, by cluster. */
  configVersions(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>;
  /**
   * Checks JSON that says how nodes protect themselves from floods, for clusters and for nodes.
   *
   * @returns the bytes; null for empty ones, which leave what is there
   * @throws invalid naming the path of the fault
   */
  ddosProtectionField(field: string, bytes: Uint8Array): Uint8Array | null;
  /** What the nodes of a cluster are told; undefined when it does not exist. */
  configOf(call: Call, clusterId: bigint): Promise<NodeClusterConfig | undefined>;
}
export const NodeClusters: Contract<NodeClusters> = defineContract("node_cluster");

/** Where plugins say what uses a cluster. */
export const NodeClusterUses: ExtensionPoint<UseCheck> = defineExtensionPoint("node_cluster.uses");

/** What hangs on a cluster and goes with it. */
export interface NodeClusterDeletion {
  /** Runs in the transaction that deletes the cluster. */
  deleted(call: Call, clusterId: bigint): Promise<void>;
}
export const NodeClusterDeletions: ExtensionPoint<NodeClusterDeletion> = defineExtensionPoint("node_cluster.deletions");

/** Keeps the policies of one kind that clusters can be set to use. */
export interface ClusterPolicyKeeper {
  readonly kind: ClusterPolicy;
  /** Refuses, naming `field`, unless the policy exists. */
  requirePolicy(call: Call, field: string, policyId: bigint): Promise<void>;
}

/** Where the plugins that keep policies say which exist; ids of a kind that nothing keeps are not checked. */
export const ClusterPolicyKeepers: ExtensionPoint<ClusterPolicyKeeper> = defineExtensionPoint("node_cluster.policies");
