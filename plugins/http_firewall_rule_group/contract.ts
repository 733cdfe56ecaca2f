import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import { defineReferrers, type OwnedRows, type Referrers, type Taker } from "edgehelm/rows";
import type {
  HTTPFirewallGroupConfigSchema,
  HTTPFirewallSetConfigSchema,
} from "edgehelm/proto/shapes/http_firewall_pb.js";

export type RuleGroupConfig = MessageInitShape<typeof HTTPFirewallGroupConfigSchema>;

/** The definition of a built-in group. */
export interface BuiltInGroup {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly sets: readonly MessageInitShape<typeof HTTPFirewallSetConfigSchema>[];
}

/** Lets other plugins use rule groups. */
export interface HTTPFirewallRuleGroups extends Pick<OwnedRows<unknown>, "take"> {
  /**
   * Returns groups by id, with sets and rules, as sent to nodes; groups that do not exist are missing from the map. Users
   * receive the secrets of their own sets only.
   */
  configs(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleGroupConfig>>;
  /** Creates a built-in group with its sets, which belong to the taker. Returns its id. */
  createBuiltIn(call: Call, group: BuiltInGroup, taker: Taker): Promise<bigint>;
  /** Turns the built-in groups among these on if their code is listed, and off otherwise; other groups do not change. */
  switchBuiltIn(call: Call, groupIds: readonly bigint[], codesOn: readonly string[]): Promise<void>;
}
export const HTTPFirewallRuleGroups: Contract<HTTPFirewallRuleGroups> = defineContract("http_firewall_rule_group");

/** Is notified of changed groups, which nodes must fetch again. */
export interface HTTPFirewallRuleGroupListener {
  /** Runs in the transaction of the change. */
  changed(call: Call, groupIds: readonly bigint[]): Promise<void>;
}
export const HTTPFirewallRuleGroupListeners: ExtensionPoint<HTTPFirewallRuleGroupListener> = defineExtensionPoint(
  "http_firewall_rule_group.listeners",
);

/** Lets plugins report which groups their objects refer to. */
export const HTTPFirewallRuleGroupReferrers: Referrers = defineReferrers("http_firewall_rule_group");
