import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Call, Contract, ExtensionPoint, Page } from "edgehelm";
import { defineContract, defineExtensionPoint } from "edgehelm";
import type { NodeIPAddressSchema } from "edgehelm/proto/models/node_ip_address_pb.js";

/** An address as operations return it. */
export type NodeIPAddressMessage = MessageInitShape<typeof NodeIPAddressSchema>;

/** The contract through which other plugins use the addresses of nodes. */
export interface NodeIPAddresses {
  /** Returns addresses by id; addresses that do not exist or are deleted are absent from the map. */
  byIds(call: Call, addressIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NodeIPAddressMessage>>;
  /**
   * Returns a page of the addresses that clients can reach, in ascending order of their ids: accessible addresses that
   * are on and whose nodes are on.
   *
   * @param nodeClusterId the cluster of their nodes; 0 for all
   */
  accessible(call: Call, role: string, nodeClusterId: bigint, page: Page): Promise<readonly NodeIPAddressMessage[]>;
  /** Counts the addresses that `accessible` lists. */
  countAccessible(call: Call, role: string, nodeClusterId: bigint): Promise<bigint>;
  /** Takes an address down or puts it up, in the transaction of the call. Does nothing if it does not exist. */
  setUp(call: Call, addressId: bigint, isUp: boolean): Promise<void>;
  /** Must be called when a node of a role other than `node` changes. */
  nodeChanged(call: Call, role: string, nodeId: bigint, node: AddressedNode): Promise<void>;
  /** Deletes the addresses of a node of a role other than `node`. Must be called when the node is deleted. */
  nodeDeleted(call: Call, role: string, nodeId: bigint): Promise<void>;
}
export const NodeIPAddresses: Contract<NodeIPAddresses> = defineContract("node_ip_address");

/** The properties of a node that its address rows copy. */
export interface AddressedNode {
  readonly isOn: boolean;
  readonly nodeClusterId: bigint;
}

/** Supplies the nodes of a role other than `node` that have addresses. */
export interface AddressedNodes {
  /** The role, such as `dns`. */
  readonly role: string;
  /** Returns a node, or undefined when it does not exist or is deleted. */
  find(call: Call, nodeId: bigint): Promise<AddressedNode | undefined>;
}
export const AddressedNodes: ExtensionPoint<AddressedNodes> = defineExtensionPoint("node_ip_address.nodes");
