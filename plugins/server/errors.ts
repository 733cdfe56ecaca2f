import { defineErrors } from "edgehelm";

export const errors = defineErrors("server", {
  not_found: ["not_found", (id: bigint) => `server ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `server ${id} is used by ${users}`],
  name_taken: [
    "conflict",
    (field: string, name: string) => `${field}: the name "${name}" belongs to another server of the cluster`,
  ],
  cannot_sort: ["invalid", (field: string) => `${field}: must be false, because servers are sorted only by id`],
});
