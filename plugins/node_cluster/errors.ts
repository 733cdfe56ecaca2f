import { defineErrors } from "edgehelm";

export const errors = defineErrors("node_cluster", {
  not_found: ["not_found", (id: bigint) => `node cluster ${id} does not exist`],
  in_use: ["conflict", (id: bigint, references: string) => `node cluster ${id} is used by ${references}`],
  dns_name_taken: ["conflict", (dnsName: string) => `the DNS name "${dnsName}" is taken by another node cluster`],
  dns_domain_missing: ["invalid", (id: bigint) => `dnsDomainId: DNS domain ${id} does not exist`],
});
