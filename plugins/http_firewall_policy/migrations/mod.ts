import * as createPolicies from "./0001_create_http_firewall_policies.ts";

export const migrations = {
  "0001_create_http_firewall_policies": createPolicies,
};
