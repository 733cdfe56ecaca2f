import {
  type Call,
  type Contract,
  defineContract,
  defineExtensionPoint,
  type ExtensionPoint,
  type UseCheck,
} from "edgehelm";

/** A cache policy as it stands beside what uses it. */
export interface HTTPCachePolicySummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
}

/** What other plugins may ask of cache policies. Clusters cannot: this plugin requires theirs. */
export interface HTTPCachePolicies {
  /** Policies that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, policyIds: readonly bigint[]): Promise<ReadonlyMap<bigint, HTTPCachePolicySummary>>;
  /** Refuses, naming `field`, unless the policy exists. */
  requirePolicy(call: Call, field: string, policyId: bigint): Promise<void>;
  /** The whole configuration as a JSON object, as nodes get it; undefined when there is no such policy. */
  config(call: Call, policyId: bigint): Promise<Uint8Array | undefined>;
}
export const HTTPCachePolicies: Contract<HTTPCachePolicies> = defineContract("http_cache_policy");

/** Where plugins say what uses a policy. Clusters are known already. */
export const HTTPCachePolicyUses: ExtensionPoint<UseCheck> = defineExtensionPoint("http_cache_policy.uses");
