import { defineErrors } from "edgehelm";

export const errors = defineErrors("traffic_package", {
  not_found: ["not_found", (id: bigint) => `traffic package ${id} does not exist`],
  exists: ["conflict", (size: string) => `a traffic package of ${size} already exists`],
  in_use: ["conflict", (id: bigint, users: string) => `traffic package ${id} is used by ${users}`],
});
