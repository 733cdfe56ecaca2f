import { defineErrors } from "edgehelm";

export const errors = defineErrors("payment_webhook", {
  unsigned: ["unauthenticated", (cause: string) => `the notice is not authentic: ${cause}`],
  malformed: ["invalid", (cause: string) => `the notice is not understood: ${cause}`],
  unknown_method: ["not_found", (code: string) => `there is no order method "${code}" that takes web hooks`],
});
