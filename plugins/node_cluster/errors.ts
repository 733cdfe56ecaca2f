import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("node_cluster", "node cluster", {
  dns_name_taken: ["conflict", (dnsName: string) => `the DNS name "${dnsName}" is taken by another node cluster`],
  dns_domain_missing: ["invalid", (id: bigint) => `dnsDomainId: DNS domain ${id} does not exist`],
});
