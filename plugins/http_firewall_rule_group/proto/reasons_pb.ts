// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/HTTPFirewallRuleGroupService/addHTTPFirewallRuleGroupSet": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroup": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroupConfig": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroup": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupSets": ["http_firewall_rule_group.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
};
