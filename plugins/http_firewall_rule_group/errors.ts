import { defineErrors } from "edgehelm";

export const errors = defineErrors("http_firewall_rule_group", {
  not_found: ["not_found", (id: bigint) => `rule group ${id} does not exist`],
});
