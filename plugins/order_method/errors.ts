import { defineErrors } from "edgehelm";

export const errors = defineErrors("order_method", {
  not_found: ["not_found", (id: bigint) => `order method ${id} does not exist`],
  exists: ["conflict", (code: string) => `the order method "${code}" already exists`],
  in_use: ["conflict", (id: bigint, users: string) => `order method ${id} is used by ${users}`],
});
