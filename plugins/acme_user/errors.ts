import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("acme_user", "ACME user", {
  refused: ["unavailable", (text: string) => text],
});
