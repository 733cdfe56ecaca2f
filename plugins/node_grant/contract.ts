import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A grant in clear, to log in to a machine with. Never answer it, never log it. */
export interface NodeGrantLogin {
  readonly method: "user" | "privateKey";
  readonly username: string;
  /** Empty unless the method is user. */
  readonly password: string;
  /** In PEM; empty unless the method is privateKey. */
  readonly privateKey: string;
  readonly passphrase: string;
  /** Whether commands are run as root through sudo. */
  readonly su: boolean;
}

/** What other plugins may ask of SSH grants. */
export interface NodeGrants {
  /** Refuses, naming `field`, unless the grant exists. */
  requireGrant(call: Call, field: string, grantId: bigint): Promise<void>;
  /** The grant in clear; undefined when it does not exist. */
  login(call: Call, grantId: bigint): Promise<NodeGrantLogin | undefined>;
}
export const NodeGrants: Contract<NodeGrants> = defineContract("node_grant");

/** Where plugins say what uses a grant. */
export const NodeGrantUses: ExtensionPoint<UseCheck> = defineExtensionPoint("node_grant.uses");

/** Knows with which grants the machines of clusters are logged in to. */
export interface NodeGrantSuggestion {
  /** Ids of grants of the cluster of edge nodes, or of the DNS cluster; an id of 0 is none. */
  grantsOf(call: Call, cluster: { nodeClusterId: bigint; nsClusterId: bigint }): Promise<readonly bigint[]>;
}
export const NodeGrantSuggestions: ExtensionPoint<NodeGrantSuggestion> = defineExtensionPoint("node_grant.suggestions");
