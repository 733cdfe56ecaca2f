// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/HTTPFirewallRuleSetService/createOrUpdateHTTPFirewallRuleSetFromConfig": ["http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleSetService/findEnabledHTTPFirewallRuleSet": ["http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleSetService/findEnabledHTTPFirewallRuleSetConfig": ["http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/HTTPFirewallRuleSetService/updateHTTPFirewallRuleSetIsOn": ["http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
};
