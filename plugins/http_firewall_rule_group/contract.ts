import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
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
export interface HTTPFirewallRuleGroups {
  /** Returns groups by id, with sets and rules, as sent to nodes; groups that do not exist are missing from the map. */
  configs(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleGroupConfig>>;
  /**
   * Checks that every group exists and the caller may use it.
   *
   * @throws `kernel.invalid_field` naming the field of the first group that fails
   */
  requireOwned(call: Call, groups: readonly { readonly field: string; readonly groupId: bigint }[]): Promise<void>;
  /** Creates a built-in group with its sets, which belong to the caller. Returns its id. */
  createBuiltIn(call: Call, group: BuiltInGroup): Promise<bigint>;
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

/** Reports the groups that protect a user's sites, which the user may therefore change. */
export interface HTTPFirewallRuleGroupSiteCheck {
  /** Returns true if a site of the user uses the group. */
  isUsedBySiteOf(call: Call, groupId: bigint, userId: bigint): Promise<boolean>;
}
export const HTTPFirewallRuleGroupSiteChecks: ExtensionPoint<HTTPFirewallRuleGroupSiteCheck> = defineExtensionPoint(
  "http_firewall_rule_group.sites",
);
