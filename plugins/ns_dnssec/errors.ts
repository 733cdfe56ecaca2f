import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_dnssec", {
  not_enabled: ["conflict", (name: string) => `nsDomainId: domain "${name}" is not signed with DNSSEC`],
  already_enabled: ["conflict", (name: string) => `nsDomainId: domain "${name}" is already signed with DNSSEC`],
  disabling: ["conflict", (name: string) => `nsDomainId: domain "${name}" is being unsigned: enable DNSSEC first`],
  rolling: [
    "conflict",
    (name: string, tag: bigint) => `nsDomainId: the new key ${tag} of domain "${name}" waits for its DS record`,
  ],
  not_rolling: ["conflict", (name: string) => `nsDomainId: no new key of domain "${name}" waits for its DS record`],
  ds_published: [
    "conflict",
    (name: string, tags: string) =>
      `nsDomainId: the parent of domain "${name}" has DS records (key tags ${tags}): remove them first, or force`,
  ],
  ds_absent: [
    "conflict",
    (name: string, ds: string, tags: string) =>
      `nsDomainId: the parent of domain "${name}" does not have the DS record "${ds}", but key tags ${tags || "none"}`,
  ],
});
