import { defineErrors } from "edgehelm";

export const errors = defineErrors("ssl_cert", {
  not_found: ["not_found", (id: bigint) => `certificate ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `certificate ${id} is used by ${users}`],
  key_mismatch: ["invalid", (field: string) => `${field}: does not match the certificate`],
  changed_meanwhile: ["conflict", (id: bigint) => `certificate ${id} was changed concurrently: retry`],
});
