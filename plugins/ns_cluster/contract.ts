import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NSClusterSchema } from "edgehelm/proto/models/ns_cluster_pb.js";
import type { Nested, Summaries } from "edgehelm/rows";

/** The properties of a DNS cluster that other plugins use. */
export interface NSClusterSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The host names of the cluster's DNS servers, without a trailing dot. */
  readonly hosts: readonly string[];
}

/** The settings of a cluster that are part of the configuration of its nodes. */
export interface NSClusterNodeConfig {
  readonly configVersion: bigint;
  readonly timeZone: string;
  readonly detectAgents: boolean;
  readonly email: string;
  readonly hosts: readonly string[];
  readonly accessLogJSON: Uint8Array;
  readonly recursionJSON: Uint8Array;
  readonly tcpJSON: Uint8Array;
  readonly tlsJSON: Uint8Array;
  readonly udpJSON: Uint8Array;
  readonly dohJSON: Uint8Array;
  readonly ddosProtectionJSON: Uint8Array;
  readonly answerJSON: Uint8Array;
  readonly soaJSON: Uint8Array;
}

/** A cluster, as other objects contain it. */
export type NestedNSCluster = MessageInitShape<typeof NSClusterSchema> & { readonly id: bigint };

/** The contract through which other plugins use DNS clusters. */
export interface NSClusters extends Summaries<NSClusterSummary>, Nested<NestedNSCluster> {
  /**
   * Returns the cluster.
   *
   * @throws an `invalid` error that names `field` if it does not exist, or is not open to the user who calls
   */
  requireCluster(call: Call, field: string, clusterId: bigint): Promise<NSClusterSummary>;
  /** Returns the default cluster for the domains of a user: the oldest one that is on and open to the user. */
  defaultCluster(call: Call, userId: bigint): Promise<NSClusterSummary | undefined>;
  /** Returns the configuration versions of clusters by id. A version increases with every change that affects nodes. */
  configVersions(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>;
  /** Returns the settings of a cluster for its nodes, or undefined when it does not exist. */
  nodeConfig(call: Call, clusterId: bigint): Promise<NSClusterNodeConfig | undefined>;
}
export const NSClusters: Contract<NSClusters> = defineContract("ns_cluster");

/** The extension point at which plugins report references to clusters. */
export const NSClusterUses: Uses = defineUses("ns_cluster");

/** Finds SSL policies, to which clusters refer. */
export interface SSLPolicyLookup {
  /** Refuses, with an error that names `field`, a policy that does not exist or belongs to a user. */
  requirePolicy(call: Call, field: string, sslPolicyId: bigint): Promise<void>;
  /** Returns the ids of the policies that contain a certificate. */
  policiesWithCertificate(call: Call, sslCertId: bigint): Promise<readonly bigint[]>;
}

/** The extension point for the plugin that manages SSL policies; without it, clusters refer to none. */
export const NSClusterSSLPolicies: ExtensionPoint<SSLPolicyLookup> = defineExtensionPoint("ns_cluster.ssl_policies");
