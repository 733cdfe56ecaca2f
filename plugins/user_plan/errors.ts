import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_plan", {
  not_found: ["not_found", (id: bigint) => `user plan ${id} does not exist`],
  in_use: ["conflict", (id: bigint, sites: string) => `user plan ${id} is used by ${sites}`],
  no_room: [
    "conflict",
    (id: bigint, plan: string, obstacles: string) =>
      `user plan ${id} does not fit into the plan "${plan}": first ${obstacles}`,
  ],
  plan_off: ["conflict", (name: string) => `the plan "${name}" is not sold: it is turned off`],
  not_sold: ["conflict", (name: string, period: string) => `the plan "${name}" is not sold ${period}: it has no price`],
});
