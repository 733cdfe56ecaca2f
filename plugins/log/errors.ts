import { defineErrors } from "edgehelm";

export const errors = defineErrors("log", {
  audit_kept: ["conflict", (cause: string) => cause],
  not_found: ["not_found", (id: bigint) => `log ${id} does not exist`],
});
