import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_domain", {
  not_found: ["not_found", (id: bigint) => `domain ${id} does not exist`],
  name_not_found: ["not_found", (field: string, name: string) => `${field}: domain "${name}" does not exist`],
  name_taken: ["conflict", (field: string, name: string) => `${field}: domain "${name}" already exists`],
  verified_elsewhere: [
    "conflict",
    (field: string, name: string) => `${field}: domain "${name}" is verified for another owner on the cluster`,
  ],
  name_forbidden: [
    "conflict",
    (field: string, name: string, forbidden: string) =>
      `${field}: domain "${name}" is forbidden: an admin forbade or turned off "${forbidden}"`,
  ],
  off_by_admin: [
    "forbidden",
    (id: bigint) => `isOn: domain ${id} was turned off by an admin, and only an admin can turn it on`,
  ],
});
