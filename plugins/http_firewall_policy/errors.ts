import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("http_firewall_policy", "firewall policy", {
  used_by_cluster: [
    "forbidden",
    (id: bigint) => `firewall policy ${id} is used by a cluster, and only an admin can change it`,
  ],
});
