import { defineErrors } from "edgehelm";

export const errors = defineErrors("message_receiver", {
  not_found: ["not_found", (id: bigint) => `message receiver ${id} does not exist`],
});
