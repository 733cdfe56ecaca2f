import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_cluster", {
  not_found: ["not_found", (id: bigint) => `DNS cluster ${id} does not exist`],
  in_use: ["conflict", (id: bigint, references: string) => `DNS cluster ${id} is used by ${references}`],
});
