import * as createNSDomainGroups from "./0001_create_ns_domain_groups.ts";

export const migrations = {
  "0001_create_ns_domain_groups": createNSDomainGroups,
};
