import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type {
  HTTPFirewallGroupConfigSchema,
  HTTPFirewallSetConfigSchema,
} from "edgehelm/proto/shapes/http_firewall_pb.js";

export type RuleGroupConfig = MessageInitShape<typeof HTTPFirewallGroupConfigSchema>;

/** A group that comes with the project. */
export interface BuiltInGroup {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly isOn: boolean;
  readonly sets: readonly MessageInitShape<typeof HTTPFirewallSetConfigSchema>[];
}

/** What other plugins may ask of rule groups. */
export interface HTTPFirewallRuleGroups {
  /** Groups with their sets and rules by id, as nodes get them; groups that do not exist are missing from the map. */
  configs(call: Call, groupIds: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleGroupConfig>>;
  /** Refuses, naming the field of the first that fails, unless every group exists and the caller may use it. */
  requireOwned(call: Call, groups: readonly { readonly field: string; readonly groupId: bigint }[]): Promise<void>;
  /** Makes a group of the caller with new sets of its own. Answers its id. */
  createBuiltIn(call: Call, group: BuiltInGroup): Promise<bigint>;
  /** Turns those of the groups that were made as built-in ones on when their code is listed, and off otherwise. */
  switchBuiltIn(call: Call, groupIds: readonly bigint[], codesOn: readonly string[]): Promise<void>;
}
export const HTTPFirewallRuleGroups: Contract<HTTPFirewallRuleGroups> = defineContract("http_firewall_rule_group");

/** Hears of groups that nodes must fetch again. */
export interface HTTPFirewallRuleGroupListener {
  changed(call: Call, groupIds: readonly bigint[]): Promise<void>;
}
export const HTTPFirewallRuleGroupListeners: ExtensionPoint<HTTPFirewallRuleGroupListener> = defineExtensionPoint(
  "http_firewall_rule_group.listeners",
);

/** Knows the sites that groups protect: a user may change a group of a site of theirs, whoever made it. */
export interface HTTPFirewallRuleGroupSites {
  /** Whether a live site of the user uses the group. */
  isOnSiteOf(call: Call, groupId: bigint, userId: bigint): Promise<boolean>;
}
export const HTTPFirewallRuleGroupSitePoint: ExtensionPoint<HTTPFirewallRuleGroupSites> = defineExtensionPoint(
  "http_firewall_rule_group.sites",
);
