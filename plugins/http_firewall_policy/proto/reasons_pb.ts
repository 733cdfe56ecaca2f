// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/HTTPFirewallPolicyService/countAllEnabledHTTPFirewallPolicies": ["http_firewall_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy": ["http_firewall_policy.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","server.not_found","user_plan.not_found"],
  "/HTTPFirewallPolicyService/createHTTPFirewallPolicy": ["http_firewall_policy.not_found","http_firewall_rule_set.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","server.not_found","user_plan.not_found"],
  "/HTTPFirewallPolicyService/deleteHTTPFirewallPolicy": ["http_firewall_policy.in_use","http_firewall_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPFirewallPolicyService/findAllEnabledHTTPFirewallPolicies": ["http_firewall_policy.not_found","kernel.invalid_field"],
  "/HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicy": ["http_firewall_policy.not_found","kernel.invalid_field"],
  "/HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicyConfig": ["http_firewall_policy.not_found","kernel.invalid_field"],
  "/HTTPFirewallPolicyService/findServerIdWithHTTPFirewallPolicyId": ["http_firewall_policy.not_found","kernel.invalid_field"],
  "/HTTPFirewallPolicyService/listEnabledHTTPFirewallPolicies": ["http_firewall_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPFirewallPolicyService/updateHTTPFirewallInboundConfig": ["http_firewall_policy.not_found","http_firewall_policy.used_by_cluster","http_firewall_rule_group.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","node_cluster.not_found","user_plan.not_found"],
  "/HTTPFirewallPolicyService/updateHTTPFirewallPolicy": ["http_firewall_policy.not_found","kernel.invalid_field","node_cluster.not_found"],
  "/HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups": ["http_firewall_policy.not_found","http_firewall_policy.used_by_cluster","http_firewall_rule_group.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","node_cluster.not_found","user_plan.not_found"],
};
