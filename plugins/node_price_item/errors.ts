import { defineErrors } from "edgehelm";

export const errors = defineErrors("node_price_item", {
  not_found: ["not_found", (id: bigint) => `price item ${id} does not exist`],
  in_use: ["conflict", (id: bigint, references: string) => `price item ${id} is used by ${references}`],
});
