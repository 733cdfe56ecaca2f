import { defineErrors } from "edgehelm";

export const errors = defineErrors("message_recipient_group", {
  not_found: ["not_found", (id: bigint) => `message recipient group ${id} does not exist`],
  in_use: ["conflict", (id: bigint, names: string) => `message recipient group ${id} is used by ${names}`],
});
