import { defineErrors } from "edgehelm";

export const errors = defineErrors("origin", {
  not_found: ["not_found", (id: bigint) => `origin ${id} does not exist`],
});
