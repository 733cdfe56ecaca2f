import { defineErrors } from "edgehelm";

export const errors = defineErrors("message", {
  not_found: ["not_found", (id: bigint) => `message ${id} does not exist`],
});
