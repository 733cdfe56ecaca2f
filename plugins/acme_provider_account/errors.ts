import { defineErrors } from "edgehelm";

export const errors = defineErrors("acme_provider_account", {
  not_found: ["not_found", (id: bigint) => `ACME account ${id} does not exist`],
});
