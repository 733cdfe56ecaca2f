import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("ssl_cert", "certificate", {
  key_mismatch: ["invalid", (field: string) => `${field}: does not match the certificate`],
  changed_meanwhile: ["conflict", (id: bigint) => `certificate ${id} was changed concurrently: retry`],
});
