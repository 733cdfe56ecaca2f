import { defineErrors } from "edgehelm";

export const errors = defineErrors("server", {
  not_found: ["not_found", (id: bigint) => `server ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `server ${id} is used by ${users}`],
  name_taken: [
    "conflict",
    (field: string, name: string) => `${field}: the name "${name}" belongs to another server of the cluster`,
  ],
  name_matched: [
    "conflict",
    (field: string, name: string, wildcard: string) =>
      `${field}: the name "${name}" matches "${wildcard}" of another owner's server of the cluster`,
  ],
  name_unproved: [
    "conflict",
    (field: string, name: string, record: string, value: string) =>
      `${field}: the name "${name}" belongs to another owner; to claim it, set the TXT record ${record} to "${value}" ` +
      "and try again",
  ],
  name_forbidden: [
    "conflict",
    (field: string, name: string) => `${field}: the name "${name}" is forbidden: an admin turned off a server with it`,
  ],
  port_taken: [
    "conflict",
    (field: string, portRange: string) => `${field}: another server of the cluster listens on ports of "${portRange}"`,
  ],
  off_by_admin: [
    "forbidden",
    (id: bigint) => `isOn: server ${id} was turned off by an admin, and only an admin can turn it on`,
  ],
  cannot_sort: ["invalid", (field: string) => `${field}: must be false, because servers are sorted only by id`],
});
