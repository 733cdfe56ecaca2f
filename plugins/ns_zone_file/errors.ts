import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_zone_file", {
  too_many_records: [
    "too_large",
    (limit: number) => `zoneFile: must have at most ${limit} records`,
  ],
  domain_too_large: [
    "too_large",
    (name: string, limit: number) => `domain "${name}" has more than ${limit} records, the limit of a zone file`,
  ],
});
