import { defineErrors } from "edgehelm";

export const errors = defineErrors("traffic_package_period", {
  not_found: ["not_found", (id: bigint) => `period ${id} does not exist`],
  exists: ["conflict", (length: string) => `a period of ${length} already exists`],
  in_use: ["conflict", (id: bigint, users: string) => `period ${id} is used by ${users}`],
});
