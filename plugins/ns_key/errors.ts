import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_key", {
  not_found: ["not_found", (id: bigint) => `TSIG key ${id} does not exist`],
  changed: ["conflict", (id: bigint) => `TSIG key ${id} was changed by another call: retry`],
  name_taken: ["conflict", (name: string) => `name: the domain already has a TSIG key "${name}"`],
});
