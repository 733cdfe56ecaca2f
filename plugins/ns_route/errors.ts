import { rowErrors } from "edgehelm/rows";

export const errors = rowErrors("ns_route", "DNS route", {
  unknown_code: [
    "invalid",
    (field: string, code: string) => `${field}: DNS route "${code}" does not exist or cannot be used here`,
  ],
});
