import { type Call, type Contract, defineContract, defineUses, type Uses } from "edgehelm";
import type { NamedRow, Summaries } from "edgehelm/rows";

/** A cache policy, as shown with the objects that use it. */
export type HTTPCachePolicySummary = NamedRow;

/** Lets other plugins look up cache policies, except `node_cluster`, on which this plugin depends. */
export interface HTTPCachePolicies extends Summaries<HTTPCachePolicySummary> {
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
export const HTTPCachePolicies: Contract<HTTPCachePolicies> = defineContract("http_cache_policy");

/** Lets plugins report what uses a policy. This plugin reports clusters itself. */
export const HTTPCachePolicyUses: Uses = defineUses("http_cache_policy");
