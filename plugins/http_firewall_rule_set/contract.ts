import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import { defineReferrers, type OwnedRows, type Referrers } from "edgehelm/rows";
import type { HTTPFirewallSetConfigSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";

export type RuleSetConfig = MessageInitShape<typeof HTTPFirewallSetConfigSchema>;

/** Lets other plugins use rule sets. */
export interface HTTPFirewallRuleSets extends Pick<OwnedRows<unknown>, "take"> {
  /**
   * Returns sets by id, with their rules, as sent to nodes; sets that do not exist are missing from the map. Users
   * receive the secrets of their own sets only.
   */
  configs(call: Call, setIds: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleSetConfig>>;
  /**
   * Creates a set, which belongs to the caller, or replaces the set whose id the JSON contains.
   *
   * @param field the request field that contains the JSON, to name in errors
   * @returns the id of the set
   */
  save(call: Call, field: string, json: Uint8Array): Promise<bigint>;
}
export const HTTPFirewallRuleSets: Contract<HTTPFirewallRuleSets> = defineContract("http_firewall_rule_set");

/** Lets plugins report which sets their objects refer to. */
export const HTTPFirewallRuleSetReferrers: Referrers = defineReferrers("http_firewall_rule_set");

/** Is notified of changed sets, which nodes must fetch again. */
export interface HTTPFirewallRuleSetListener {
  /** Runs in the transaction of the change. */
  changed(call: Call, setIds: readonly bigint[]): Promise<void>;
}
export const HTTPFirewallRuleSetListeners: ExtensionPoint<HTTPFirewallRuleSetListener> = defineExtensionPoint(
  "http_firewall_rule_set.listeners",
);
