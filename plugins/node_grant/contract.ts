import type { Call, Contract, ExtensionPoint, Uses } from "edgehelm";
import { defineContract, defineExtensionPoint, defineUses } from "edgehelm";

/** The decrypted credentials of a grant. They must never be returned to a caller or logged. */
export interface NodeGrantLogin {
  readonly method: "user" | "privateKey";
  readonly username: string;
  /** The password; empty unless the method is user. */
  readonly password: string;
  /** The private key in PEM; empty unless the method is privateKey. */
  readonly privateKey: string;
  readonly passphrase: string;
  /** True when commands are run as root through sudo. */
  readonly su: boolean;
}

/** The contract through which other plugins use SSH grants. */
export interface NodeGrants {
  /**
   * Checks that the grant exists.
   *
   * @throws an `invalid` error that names `field` if it does not
   */
  requireGrant(call: Call, field: string, grantId: bigint): Promise<void>;
  /** Returns the decrypted credentials of a grant, or undefined when it does not exist. */
  login(call: Call, grantId: bigint): Promise<NodeGrantLogin | undefined>;
}
export const NodeGrants: Contract<NodeGrants> = defineContract("node_grant");

/** Logs in to machines. */
export interface NodeGrantLoginTest {
  /**
   * Logs in to a machine with a grant, and out again.
   *
   * @returns why it failed; undefined if it succeeded
   */
  test(
    call: Call,
    grant: NodeGrantLogin,
    address: { readonly host: string; readonly port: number },
  ): Promise<string | undefined>;
}
/** The extension point for a plugin that can log in to machines; without one, grants cannot be tested. */
export const NodeGrantLoginTests: ExtensionPoint<NodeGrantLoginTest> = defineExtensionPoint("node_grant.login_tests");

/** The extension point at which plugins report references to grants. */
export const NodeGrantUses: Uses = defineUses("node_grant");

/** Supplies the grants that the machines of clusters use. */
export interface NodeGrantSuggestion {
  /** Returns the ids of the grants that a cluster of edge nodes or a DNS cluster uses; a cluster id of 0 means none. */
  grantsOf(call: Call, cluster: { nodeClusterId: bigint; nsClusterId: bigint }): Promise<readonly bigint[]>;
}
export const NodeGrantSuggestions: ExtensionPoint<NodeGrantSuggestion> = defineExtensionPoint("node_grant.suggestions");

/** Checks the nodes for which grants are made. */
export interface NodeGrantTarget {
  /** Refuses, with an error that names `field`, a node that does not exist. */
  requireNode(call: Call, field: string, nodeId: bigint): Promise<void>;
}
/** The extension point for the plugin of nodes; without it, grants are for no node. */
export const NodeGrantTargets: ExtensionPoint<NodeGrantTarget> = defineExtensionPoint("node_grant.targets");
