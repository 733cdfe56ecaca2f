import { defineErrors } from "edgehelm";

export const errors = defineErrors("metric_chart", {
  not_found: ["not_found", (id: bigint) => `chart ${id} does not exist`],
});
