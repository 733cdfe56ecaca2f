import { defineErrors } from "edgehelm";

export const errors = defineErrors("http_firewall_rule_set", {
  not_found: ["not_found", (id: bigint) => `rule set ${id} does not exist`],
});
