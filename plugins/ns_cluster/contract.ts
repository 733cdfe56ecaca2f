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

/** What a cluster's nodes are to do: its settings as JSON, and the rest of what they need. */
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

/** What other plugins may ask of DNS clusters. */
export interface NSClusters {
  /** Clusters that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSClusterSummary>>;
  /** Refuses, naming `field`, unless the cluster exists and is not deleted. */
  requireCluster(call: Call, field: string, clusterId: bigint): Promise<NSClusterSummary>;
  /** The cluster that serves users who name none: the oldest one that is turned on. */
  defaultCluster(call: Call): Promise<NSClusterSummary | undefined>;
  /** Numbers that rise with every change that nodes must learn of, of the clusters that exist. */
  configVersions(call: Call, clusterIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>;
  /** What the cluster's nodes are to do; undefined for a cluster that does not exist. */
  nodeConfig(call: Call, clusterId: bigint): Promise<NSClusterNodeConfig | undefined>;
}
export const NSClusters: Contract<NSClusters> = defineContract("ns_cluster");

/** Where plugins say what uses a cluster. */
export const NSClusterUses: ExtensionPoint<UseCheck> = defineExtensionPoint("ns_cluster.uses");

/** Knows which certificates are in which SSL policy. Clusters refer to policies only. */
export interface SSLPolicyLookup {
  /** The policies that hold a certificate. */
  policiesWithCertificate(call: Call, sslCertId: bigint): Promise<readonly bigint[]>;
}

/** Where the plugin that keeps SSL policies says what is in them. */
export const NSClusterSSLPolicies: ExtensionPoint<SSLPolicyLookup> = defineExtensionPoint("ns_cluster.ssl_policies");
