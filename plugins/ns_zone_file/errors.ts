import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_zone_file", {
  too_many_records: [
    "too_large",
    (limit: number) => `zoneFile: has more than the ${limit} records that can be imported at once`,
  ],
  domain_too_large: [
    "too_large",
    (name: string, limit: number) => `domain "${name}" has more than the ${limit} records that a zone file can have`,
  ],
});
