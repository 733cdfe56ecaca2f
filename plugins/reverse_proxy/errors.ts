import { defineErrors } from "edgehelm";

export const errors = defineErrors("reverse_proxy", {
  not_found: ["not_found", (id: bigint) => `reverse proxy ${id} does not exist`],
});
