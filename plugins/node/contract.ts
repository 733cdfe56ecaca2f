import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { NodeIPAddressSchema } from "edgehelm/proto/models/node_ip_address_pb.js";

/** The properties of an edge node that other plugins use. */
export interface NodeSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The primary cluster. */
  readonly nodeClusterId: bigint;
  /** The region; 0 when it has none. */
  readonly nodeRegionId: bigint;
}

/** The contract through which other plugins use edge nodes. */
export interface Nodes {
  /** Returns nodes by id; nodes that do not exist or are deleted are absent from the map. */
  summaries(call: Call, nodeIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NodeSummary>>;
  /**
   * Checks that the node exists.
   *
   * @throws an `invalid` error that names `field` if it does not
   */
  requireNode(call: Call, field: string, nodeId: bigint): Promise<void>;
  /** Returns up to `limit` ids above `afterId` of the nodes whose primary or secondary cluster this is, ascending. */
  idsOfCluster(call: Call, clusterId: bigint, afterId: bigint, limit: number): Promise<readonly bigint[]>;
  /** Returns the ids of the clusters of a node, its primary one and the secondary ones; none if it does not exist. */
  clustersOf(call: Call, nodeId: bigint): Promise<readonly bigint[]>;
  /** Increments the configuration version of nodes, so that they fetch their configuration again. */
  configChanged(call: Call, nodeIds: readonly bigint[]): Promise<void>;
}
export const Nodes: Contract<Nodes> = defineContract("node");

/** Deletes the data of a plugin that is attached to a node, together with the node. */
export interface NodeDeletion {
  /** Runs in the transaction that deletes the node. */
  deleted(call: Call, nodeId: bigint): Promise<void>;
}
export const NodeDeletions: ExtensionPoint<NodeDeletion> = defineExtensionPoint("node.deletions", {
  refused: ["deleted"],
});

/** Is notified when the summary of a node changes. */
export interface NodeListener {
  /** Runs in the transaction of the change. */
  changed(call: Call, node: NodeSummary): Promise<void>;
}
export const NodeListeners: ExtensionPoint<NodeListener> = defineExtensionPoint("node.listeners");

/** Supplies the addresses of nodes. */
export interface NodeAddressSource {
  /** Returns the addresses of nodes in order, by node id; nodes without addresses are absent from the map. */
  ofNodes(
    call: Call,
    nodeIds: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, readonly MessageInitShape<typeof NodeIPAddressSchema>[]>>;
  /** Returns up to `limit` ids of nodes that have an address containing the text. */
  nodesWith(call: Call, text: string, limit: number): Promise<readonly bigint[]>;
}
export const NodeAddressSources: ExtensionPoint<NodeAddressSource> = defineExtensionPoint("node.addresses");

/**
 * A member of the configuration object that nodes fetch. A plugin whose part changed must call `configChanged` of the
 * contract `Nodes` or `NodeClusters`.
 */
export interface NodeConfigPart {
  /** The name of the member. */
  readonly name: string;
  /** Returns the member as JSON text, or undefined to omit it. */
  compose(call: Call, node: { id: bigint; clusterIds: readonly bigint[] }): Promise<string | undefined>;
}
export const NodeConfigParts: ExtensionPoint<NodeConfigPart> = defineExtensionPoint("node.config_parts", {
  refused: ["compose"],
});
