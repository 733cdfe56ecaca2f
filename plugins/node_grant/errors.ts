import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("node_grant", "grant", {
  secret_missing: [
    "invalid",
    (field: string, method: string) => `${field}: must not be empty, because the method ${method} requires it`,
  ],
});
