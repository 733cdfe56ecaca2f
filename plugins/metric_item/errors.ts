import { defineErrors } from "edgehelm";

export const errors = defineErrors("metric_item", {
  not_found: ["not_found", (id: bigint) => `metric ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `metric ${id} is used by ${users}`],
  code_taken: ["conflict", (code: string) => `the code "${code}" is taken by another metric`],
});
