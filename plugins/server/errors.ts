import { defineErrors } from "edgehelm";

export const errors = defineErrors("server", {
  not_found: ["not_found", (id: bigint) => `server ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `server ${id} is used by ${users}`],
  name_taken: [
    "conflict",
    (field: string, name: string) => `${field}: the name "${name}" belongs to another server of the cluster`,
  ],
  cannot_sort: ["unavailable", (field: string) => `${field}: servers can be sorted only by id`],
});
