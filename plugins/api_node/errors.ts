import { defineErrors } from "edgehelm";

export const errors = defineErrors("api_node", {
  not_found: ["not_found", (id: bigint) => `API node ${id} does not exist`],
  is_primary: ["conflict", (id: bigint) => `API node ${id} is primary: make another API node primary first`],
  is_current: ["conflict", (id: bigint) => `API node ${id} is the instance that serves this call`],
  primary_needed: ["conflict", (id: bigint) => `API node ${id} is primary: make another API node primary instead`],
});
