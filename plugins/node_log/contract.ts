import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** A log that another plugin writes about a node. */
export interface NewNodeLog {
  readonly role: string;
  readonly nodeId: bigint;
  readonly level: "info" | "warning" | "error" | "success";
  readonly tag: string;
  readonly description: string;
  /** The machine-readable type. A success marks the errors of the same node, site, type and parameters as fixed. */
  readonly type?: string;
  /** The parameters, as the text of a JSON object. */
  readonly params?: string;
  /** The site that the log is about. */
  readonly serverId?: bigint;
}

/** The contract through which other plugins use the logs of nodes. */
export interface NodeLogs {
  /** Writes logs, in the transaction of the call if there is one, otherwise in a new one. */
  write(call: Call, logs: readonly NewNodeLog[]): Promise<void>;
  /** Hides the logs of a deleted node and deletes them in the background. */
  removeOfNode(call: Call, role: string, nodeId: bigint): Promise<void>;
}
export const NodeLogs: Contract<NodeLogs> = defineContract("node_log");

/** Supplies the nodes of clusters, for a role other than `node`. */
export interface NodeLogCluster {
  readonly role: string;
  /** Returns the ids of all nodes of a cluster. */
  nodesOf(call: Call, clusterId: bigint): Promise<readonly bigint[]>;
}
export const NodeLogClusters: ExtensionPoint<NodeLogCluster> = defineExtensionPoint("node_log.clusters");

/** Tells about which sites or origins a calling node may write. */
export interface NodeLogSubject {
  readonly field: "serverId" | "originId";
  /** Returns the ids about which the caller may write, each with the unix second until which it may, if there is one. */
  ofCaller(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint | undefined>>;
}
/** The extension point for sites and origins; nodes can write about those that a contribution returns. */
export const NodeLogSubjects: ExtensionPoint<NodeLogSubject> = defineExtensionPoint("node_log.subjects");
