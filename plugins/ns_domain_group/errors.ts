import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_domain_group", {
  not_found: ["not_found", (id: bigint) => `domain group ${id} does not exist`],
  in_use: ["conflict", (id: bigint, references: string) => `domain group ${id} is used by ${references}`],
});
