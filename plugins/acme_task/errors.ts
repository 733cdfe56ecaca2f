import { defineErrors } from "edgehelm";

export const errors = defineErrors("acme_task", {
  not_found: ["not_found", (id: bigint) => `ACME task ${id} does not exist`],
  refused: ["unavailable", (text: string) => text],
  taken_over: ["conflict", (id: bigint) => `ACME task ${id} is run by another instance`],
});
