import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_route", {
  not_found: ["not_found", (id: bigint) => `DNS route ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `DNS route ${id} is used by ${users}`],
  unknown_code: [
    "invalid",
    (field: string, code: string) => `${field}: DNS route "${code}" does not exist or cannot be used here`,
  ],
});
