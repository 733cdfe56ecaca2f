import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NodeClusterSchema } from "edgehelm/proto/models/node_cluster_pb.js";
import type { NamedRow, Nested, Summaries } from "edgehelm/rows";
import type { ClusterPolicy, PolicyUsers } from "./contract/policies.ts";

export { type ClusterPolicy, policyConfigs, type PolicyFilter, policyList, policyUses } from "./contract/policies.ts";

/** The properties of a cluster of edge nodes that other plugins use. */
export type NodeClusterSummary = NamedRow;

/** The settings of a cluster that are part of the configuration of its nodes. */
export interface NodeClusterConfig {
  readonly id: bigint;
  /** The configuration version, which increases with every change that affects the nodes. */
  readonly version: bigint;
  readonly httpCachePolicyId: bigint;
  readonly httpFirewallPolicyId: bigint;
  /** The SSH grant for nodes without a grant of their own; 0 means none. */
  readonly nodeGrantId: bigint;
  /** The directory of programs on machines; empty means the default. */
  readonly installDir: string;
  readonly timeZone: string;
  readonly nodeMaxThreads: number;
  readonly autoOpenPorts: boolean;
  readonly autoInstallNftables: boolean;
  readonly autoSystemTuning: boolean;
  readonly autoTrimDisks: boolean;
  readonly maxConcurrentReads: number;
  readonly maxConcurrentWrites: number;
  /** JSON text, as are the fields below, in the shape that the operations of NodeClusterService return. */
  readonly clockJSON: Uint8Array;
  readonly ddosProtectionJSON: Uint8Array;
  readonly globalServerConfigJSON: Uint8Array;
}

/** A cluster, as other objects contain it. */
export type NestedNodeCluster = MessageInitShape<typeof NodeClusterSchema> & { readonly id: bigint };

/** The contract through which other plugins use clusters of edge nodes. */
export interface NodeClusters extends Summaries<NodeClusterSummary>, Nested<NestedNodeCluster>, PolicyUsers {
  /**
   * Checks that the cluster exists and is open to a user.
   *
   * @param userId the owner of what is placed in the cluster; 0, the default, for the user who calls or the installation
   * @throws an `invalid` error that names `field` if it does not exist or is not open
   */
  requireCluster(call: Call, field: string, clusterId: bigint, userId?: bigint): Promise<void>;
  /** Returns true for a cluster that exists and, if a user calls, is open to that user. */
  isOpenToCaller(call: Call, clusterId: bigint): Promise<boolean>;
  /** Increments the configuration version of clusters, so that their nodes fetch their configuration again. */
  configChanged(call: Call, clusterIds: readonly bigint[]): Promise<void>;
  /** Increments the configuration version of every cluster. */
  configChangedEverywhere(call: Call): Promise<void>;
  /** Returns the configuration versions of clusters, by cluster id. */
  configVersions(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>;
  /**
   * Checks the JSON of DDoS protection settings, for clusters and for nodes.
   *
   * @returns the bytes, or null for empty bytes, which leave the stored settings unchanged
   * @throws an `invalid` error that names the path of the invalid value
   */
  ddosProtectionField(field: string, bytes: Uint8Array): Uint8Array | null;
  /** Returns the settings of a cluster for its nodes, or undefined when it does not exist. */
  configOf(call: Call, clusterId: bigint): Promise<NodeClusterConfig | undefined>;
}
export const NodeClusters: Contract<NodeClusters> = defineContract("node_cluster");

/** The extension point at which plugins report references to clusters. */
export const NodeClusterUses: Uses = defineUses("node_cluster");

/** Deletes the data of a plugin that is attached to a cluster, together with the cluster. */
export interface NodeClusterDeletion {
  /** Runs in the transaction that deletes the cluster. */
  deleted(call: Call, clusterId: bigint): Promise<void>;
}
export const NodeClusterDeletions: ExtensionPoint<NodeClusterDeletion> = defineExtensionPoint(
  "node_cluster.deletions",
  { refused: ["deleted"] },
);

/** Checks that policies of one kind exist. */
export interface ClusterPolicyCheck {
  readonly kind: ClusterPolicy;
  /**
   * Checks that the policy exists.
   *
   * @throws an `invalid` error that names `field` if it does not
   */
  requirePolicy(call: Call, field: string, policyId: bigint): Promise<void>;
}

/** The extension point for policy checks. The ids of a kind without a check are accepted unchecked. */
export const ClusterPolicyChecks: ExtensionPoint<ClusterPolicyCheck> = defineExtensionPoint("node_cluster.policies");
