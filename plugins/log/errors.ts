import { defineErrors } from "edgehelm";

export const errors = defineErrors("log", {
  not_found: ["not_found", (id: bigint) => `log ${id} does not exist`],
});
