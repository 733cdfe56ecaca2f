import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("acme_task", "ACME task", {
  refused: ["unavailable", (text: string) => text],
  no_certificate: ["conflict", (id: bigint) => `ACME task ${id} has no certificate`],
  taken_over: ["conflict", (id: bigint) => `ACME task ${id} is run by another instance`],
});
