import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("metric_item", "metric", {
  code_taken: ["conflict", (code: string) => `the code "${code}" is taken by another metric`],
});
