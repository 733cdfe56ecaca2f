import * as createRuleSets from "./0001_create_http_firewall_rule_sets.ts";

export const migrations = {
  "0001_create_http_firewall_rule_sets": createRuleSets,
};
