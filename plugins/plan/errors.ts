import { defineErrors } from "edgehelm";

export const errors = defineErrors("plan", {
  not_found: ["not_found", (id: bigint) => `plan ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `plan ${id} is used by ${users}`],
});
