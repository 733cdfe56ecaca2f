import { defineErrors } from "edgehelm";

export const errors = defineErrors("node_ip_address", {
  not_found: ["not_found", (id: bigint) => `address ${id} does not exist`],
  node_missing: ["invalid", (role: string, id: bigint) => `nodeId: ${role} ${id} does not exist`],
  taken: ["conflict", (ip: string, role: string, id: bigint) => `${role} ${id} already has the address ${ip}`],
});
