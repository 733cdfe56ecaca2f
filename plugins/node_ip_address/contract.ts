import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type Page,
} from "edgehelm";
import type { NodeIPAddressSchema } from "edgehelm/proto/models/node_ip_address_pb.js";

/** An address as operations answer it. */
export type NodeIPAddressMessage = MessageInitShape<typeof NodeIPAddressSchema>;

/** What other plugins may ask of addresses. */
export interface NodeIPAddresses {
  /** Addresses that exist and are not deleted, by id; the others are missing from the map. */
  byIds(call: Call, addressIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NodeIPAddressMessage>>;
  /**
   * Addresses that clients reach: they and their nodes are on, and they can be accessed; by id.
   *
   * @param nodeClusterId the cluster of their nodes; 0 for all
   */
  accessible(call: Call, role: string, nodeClusterId: bigint, page: Page): Promise<readonly NodeIPAddressMessage[]>;
  /** How many addresses `accessible` knows. */
  countAccessible(call: Call, role: string, nodeClusterId: bigint): Promise<bigint>;
  /** Follows a node of another role than `node`. */
  nodeChanged(call: Call, role: string, nodeId: bigint, node: AddressedNode): Promise<void>;
  /** Removes the addresses of a node of another role than `node`. */
  nodeDeleted(call: Call, role: string, nodeId: bigint): Promise<void>;
}
export const NodeIPAddresses: Contract<NodeIPAddresses> = defineContract("node_ip_address");

/** As much of a node as stands beside its addresses. */
export interface AddressedNode {
  readonly isOn: boolean;
  readonly nodeClusterId: bigint;
}

/** Keeps nodes of another role than `node` that have addresses. */
export interface AddressedNodes {
  /** The role, such as `dns`. */
  readonly role: string;
  /** A live node; undefined when it does not exist. */
  find(call: Call, nodeId: bigint): Promise<AddressedNode | undefined>;
}
export const AddressedNodes: ExtensionPoint<AddressedNodes> = defineExtensionPoint("node_ip_address.nodes");
