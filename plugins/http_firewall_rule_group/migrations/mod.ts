import * as createRuleGroups from "./0001_create_http_firewall_rule_groups.ts";

export const migrations = {
  "0001_create_http_firewall_rule_groups": createRuleGroups,
};
