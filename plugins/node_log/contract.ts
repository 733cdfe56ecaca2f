import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** Something that the installation writes about a node. */
export interface NewNodeLog {
  readonly role: string;
  readonly nodeId: bigint;
  readonly level: "info" | "warning" | "error" | "success";
  readonly tag: string;
  readonly description: string;
  /** For programs; a success fixes the errors of the same node, site, type and params. */
  readonly type?: string;
  /** A JSON object. */
  readonly params?: string;
  /** The site that it is about. */
  readonly serverId?: bigint;
}

/** What other plugins may ask of the logs of nodes. */
export interface NodeLogs {
  /** Writes logs, in the call's transaction or in one of their own. */
  write(call: Call, logs: readonly NewNodeLog[]): Promise<void>;
  /** Hides the logs of a node that is deleted, and removes them in the background. */
  removeOfNode(call: Call, role: string, nodeId: bigint): Promise<void>;
}
export const NodeLogs: Contract<NodeLogs> = defineContract("node_log");

/** Knows which nodes of another role than `node` are in which cluster. */
export interface NodeLogCluster {
  readonly role: string;
  /** Ids of all nodes of a cluster. */
  nodesOf(call: Call, clusterId: bigint): Promise<readonly bigint[]>;
}
export const NodeLogClusters: ExtensionPoint<NodeLogCluster> = defineExtensionPoint("node_log.clusters");
