import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { NodeIPAddressSchema } from "edgehelm/proto/models/node_ip_address_pb.js";

/** An edge node as it stands beside other things. */
export interface NodeSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The cluster it belongs to. */
  readonly nodeClusterId: bigint;
  /** Its region; 0 when it has none. */
  readonly nodeRegionId: bigint;
}

/** What other plugins may ask of edge nodes. */
export interface Nodes {
  /** Nodes that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, nodeIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NodeSummary>>;
  /** Refuses, naming `field`, unless the node exists. */
  requireNode(call: Call, field: string, nodeId: bigint): Promise<void>;
  /** Ids of the live nodes of a cluster, those it has as one of more clusters included, ascending, after `afterId`. */
  idsOfCluster(call: Call, clusterId: bigint, afterId: bigint, limit: number): Promise<readonly bigint[]>;
  /** Marks nodes for update: they are to fetch their configuration again. */
  configChanged(call: Call, nodeIds: readonly bigint[]): Promise<void>;
}
export const Nodes: Contract<Nodes> = defineContract("node");

/** What hangs on a node and goes with it. */
export interface NodeDeletion {
  /** Runs in the transaction that deletes the node. */
  deleted(call: Call, nodeId: bigint): Promise<void>;
}
export const NodeDeletions: ExtensionPoint<NodeDeletion> = defineExtensionPoint("node.deletions");

/** Is told of nodes whose summary changed. */
export interface NodeListener {
  /** Runs in the transaction of the change. */
  changed(call: Call, node: NodeSummary): Promise<void>;
}
export const NodeListeners: ExtensionPoint<NodeListener> = defineExtensionPoint("node.listeners");

/** Knows the addresses of nodes. */
export interface NodeAddresses {
  /** The addresses of nodes in their order, by node; nodes without are missing from the map. */
  ofNodes(
    call: Call,
    nodeIds: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, readonly MessageInitShape<typeof NodeIPAddressSchema>[]>>;
  /** Ids of nodes that have an address with this text in it, at most `limit`. */
  nodesWith(call: Call, text: string, limit: number): Promise<readonly bigint[]>;
}
export const NodeAddressBooks: ExtensionPoint<NodeAddresses> = defineExtensionPoint("node.addresses");

/** A part of what nodes are told. A plugin whose part changed says so with `configChanged` of nodes or clusters. */
export interface NodeConfigPart {
  /** The member of the configuration object. */
  readonly name: string;
  /** JSON text; undefined leaves the member out. */
  compose(call: Call, node: { id: bigint; clusterIds: readonly bigint[] }): Promise<string | undefined>;
}
export const NodeConfigParts: ExtensionPoint<NodeConfigPart> = defineExtensionPoint("node.config_parts");
