import { defineErrors } from "edgehelm";

export const errors = defineErrors("api_node", {
  not_found: ["not_found", (id: bigint) => `API node ${id} does not exist`],
  is_primary: ["conflict", (id: bigint) => `API node ${id} is the primary one: make another one primary first`],
  is_current: ["conflict", (id: bigint) => `API node ${id} is the instance that is called`],
  primary_needed: ["conflict", (id: bigint) => `API node ${id} is the primary one: make another one primary instead`],
});
