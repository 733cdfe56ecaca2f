import { defineErrors } from "edgehelm";

export const errors = defineErrors("http_cache_policy", {
  not_found: ["not_found", (id: bigint) => `cache policy ${id} does not exist`],
  in_use: ["conflict", (id: bigint, names: string) => `cache policy ${id} is used by ${names}`],
});
