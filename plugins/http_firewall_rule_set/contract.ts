import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { HTTPFirewallSetConfigSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";

export type RuleSetConfig = MessageInitShape<typeof HTTPFirewallSetConfigSchema>;

/** What other plugins may ask of rule sets. */
export interface HTTPFirewallRuleSets {
  /** Sets with their rules by id, as nodes get them; sets that do not exist are missing from the map. */
  configs(call: Call, setIds: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleSetConfig>>;
  /** Refuses, naming the field of the first that fails, unless every set exists and the caller may use it. */
  requireOwned(call: Call, sets: readonly { readonly field: string; readonly setId: bigint }[]): Promise<void>;
  /** Creates a set of the caller, or replaces one; `json` is checked as a field of that name. Answers its id. */
  save(call: Call, field: string, json: Uint8Array): Promise<bigint>;
}
export const HTTPFirewallRuleSets: Contract<HTTPFirewallRuleSets> = defineContract("http_firewall_rule_set");

/** Hears of sets that nodes must fetch again. */
export interface HTTPFirewallRuleSetListener {
  changed(call: Call, setIds: readonly bigint[]): Promise<void>;
}
export const HTTPFirewallRuleSetListeners: ExtensionPoint<HTTPFirewallRuleSetListener> = defineExtensionPoint(
  "http_firewall_rule_set.listeners",
);
