import { defineErrors } from "edgehelm";

export const errors = defineErrors("message_recipient", {
  not_found: ["not_found", (id: bigint) => `message recipient ${id} does not exist`],
});
