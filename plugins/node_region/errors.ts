import { defineErrors } from "edgehelm";

export const errors = defineErrors("node_region", {
  not_found: ["not_found", (id: bigint) => `region ${id} does not exist`],
  in_use: ["conflict", (id: bigint, references: string) => `region ${id} is used by ${references}`],
});
