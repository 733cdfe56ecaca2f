import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** What other plugins may ask of SSH grants. */
export interface NodeGrants {
  /** Refuses, naming `field`, unless the grant exists. */
  requireGrant(call: Call, field: string, grantId: bigint): Promise<void>;
}
export const NodeGrants: Contract<NodeGrants> = defineContract("node_grant");

/** Where plugins say what uses a grant. */
export const NodeGrantUses: ExtensionPoint<UseCheck> = defineExtensionPoint("node_grant.uses");
