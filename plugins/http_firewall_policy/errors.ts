import { defineErrors } from "edgehelm";

export const errors = defineErrors("http_firewall_policy", {
  not_found: ["not_found", (id: bigint) => `firewall policy ${id} does not exist`],
  in_use: ["conflict", (id: bigint, names: string) => `firewall policy ${id} is used by ${names}`],
});
