import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_domain", {
  not_found: ["not_found", (id: bigint) => `domain ${id} does not exist`],
  name_not_found: ["not_found", (field: string, name: string) => `${field}: domain "${name}" does not exist`],
  name_taken: ["conflict", (field: string, name: string) => `${field}: domain "${name}" already exists`],
  verified_elsewhere: [
    "conflict",
    (field: string, name: string) => `${field}: domain "${name}" is verified for another owner on the cluster`,
  ],
  name_forbidden: ["conflict", (field: string, name: string) => `${field}: domain "${name}" is forbidden`],
});
