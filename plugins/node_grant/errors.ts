import { defineErrors } from "edgehelm";

export const errors = defineErrors("node_grant", {
  not_found: ["not_found", (id: bigint) => `grant ${id} does not exist`],
  in_use: ["conflict", (id: bigint, references: string) => `grant ${id} is used by ${references}`],
  secret_missing: [
    "invalid",
    (field: string, method: string) => `${field}: must not be empty, because the method ${method} requires it`,
  ],
});
