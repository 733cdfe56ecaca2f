import { defineErrors } from "edgehelm";

export const errors = defineErrors("message_task", {
  not_found: ["not_found", (id: bigint) => `message task ${id} does not exist`],
  text_emptied: [
    "conflict",
    (id: bigint) => `message task ${id} was confidential: its text was emptied, so that it cannot be sent again`,
  ],
  unavailable_target: ["conflict", (field: string, target: string) => `${field}: ${target} is turned off`],
});
