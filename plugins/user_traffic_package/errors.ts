import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_traffic_package", {
  not_found: ["not_found", (id: bigint) => `package ${id} of a user does not exist`],
  not_sold: [
    "conflict",
    (size: string, period: string, region: string) =>
      `the package of ${size} for ${period} is not sold in "${region}": it has no price there`,
  ],
  off: ["conflict", (what: string, name: string) => `the ${what} ${name} is not sold: it is turned off`],
  usable: [
    "conflict",
    (id: bigint, dayTo: string) => `package ${id} can be used until ${dayTo}; users may delete it afterwards`,
  ],
});
