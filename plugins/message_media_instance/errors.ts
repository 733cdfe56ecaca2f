import { defineErrors } from "edgehelm";

export const errors = defineErrors("message_media_instance", {
  not_found: ["not_found", (id: bigint) => `message media instance ${id} does not exist`],
  in_use: ["conflict", (id: bigint, names: string) => `message media instance ${id} is used by ${names}`],
  changed: ["conflict", (id: bigint) => `message media instance ${id} was changed concurrently: retry`],
});
