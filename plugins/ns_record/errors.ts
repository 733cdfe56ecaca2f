import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_record", {
  not_found: ["not_found", (id: bigint) => `record ${id} does not exist`],
  not_checked: ["conflict", (id: bigint) => `the health check of record ${id} is off`],
  duplicate: ["conflict", (field: string, record: string) => `${field}: an identical record ${record} already exists`],
  beside_cname: [
    "conflict",
    (field: string, record: string) => `${field}: ${record} conflicts with a CNAME of the same name and route`,
  ],
  beside_others: [
    "conflict",
    (field: string, record: string) => `${field}: ${record} conflicts with other records of the same name and route`,
  ],
  second_soa: ["conflict", (field: string, record: string) => `${field}: ${record} would be a second SOA of its route`],
  too_many: [
    "too_large",
    (count: number, limit: number) => `the request affects ${count} records, at most ${limit} can be changed at once`,
  ],
});
