import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_record_hourly_stat", {
  record_not_found: ["not_found", (id: bigint) => `record ${id} does not exist`],
});
