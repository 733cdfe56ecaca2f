import { defineErrors } from "edgehelm";

export const errors = defineErrors("metric_item", {
  not_found: ["not_found", (id: bigint) => `metric ${id} does not exist`],
  in_use: ["conflict", (id: bigint, names: string) => `metric ${id} is used by ${names}`],
  code_taken: ["conflict", (code: string) => `the code "${code}" is taken by another metric`],
});
