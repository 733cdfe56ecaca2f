import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { NamedRow, Summaries } from "edgehelm/rows";

/** A firewall policy, as shown with the objects that use it. */
export type HTTPFirewallPolicySummary = NamedRow;

/**
 * Lets other plugins look up firewall policies, except `node_cluster` and `server`, on which this plugin depends.
 */
export interface HTTPFirewallPolicies extends Summaries<HTTPFirewallPolicySummary> {
  /**
   * Checks that the policy exists.
   *
   * @param field the request field to name in the error
   * @throws `kernel.invalid_field` if it does not
   */
  requirePolicy(call: Call, field: string, policyId: bigint): Promise<void>;
  /** Returns the complete configuration as a JSON object, as sent to nodes, or undefined if the policy does not exist. */
  config(call: Call, policyId: bigint): Promise<Uint8Array | undefined>;
}
export const HTTPFirewallPolicies: Contract<HTTPFirewallPolicies> = defineContract("http_firewall_policy");

/** Lets plugins report what uses a policy. This plugin reports clusters itself. */
export const HTTPFirewallPolicyUses: Uses = defineUses("http_firewall_policy");
