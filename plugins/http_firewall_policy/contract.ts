import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A firewall policy as it stands beside what uses it. */
export interface HTTPFirewallPolicySummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** What other plugins may ask of firewall policies. Clusters and servers cannot: this plugin requires theirs. */
export interface HTTPFirewallPolicies {
  /** Policies that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, policyIds: readonly bigint[]): Promise<ReadonlyMap<bigint, HTTPFirewallPolicySummary>>;
  /** Refuses, naming `field`, unless the policy exists. */
  requirePolicy(call: Call, field: string, policyId: bigint): Promise<void>;
  /** The whole configuration as a JSON object, as nodes get it; undefined when there is no such policy. */
  config(call: Call, policyId: bigint): Promise<Uint8Array | undefined>;
}
export const HTTPFirewallPolicies: Contract<HTTPFirewallPolicies> = defineContract("http_firewall_policy");

/** Where plugins say what uses a policy. Clusters are known already. */
export const HTTPFirewallPolicyUses: ExtensionPoint<UseCheck> = defineExtensionPoint("http_firewall_policy.uses");
