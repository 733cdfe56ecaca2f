import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("acme_provider_account", "ACME account", {
  refused: ["unavailable", (text: string) => text],
});
