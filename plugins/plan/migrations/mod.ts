import * as createPlans from "./0001_create_plans.ts";

export const migrations = {
  "0001_create_plans": createPlans,
};
