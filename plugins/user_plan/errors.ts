import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_plan", {
  not_found: ["not_found", (id: bigint) => `user plan ${id} does not exist`],
  in_use: ["conflict", (id: bigint, sites: string) => `user plan ${id} is used by ${sites}`],
  plan_off: ["conflict", (name: string) => `the plan "${name}" is not sold: it is turned off`],
  not_sold: ["conflict", (name: string, period: string) => `the plan "${name}" is not sold ${period}: it has no price`],
});
