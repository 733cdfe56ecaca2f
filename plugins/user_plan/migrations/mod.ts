import * as createUserPlans from "./0001_create_user_plans.ts";

export const migrations = {
  "0001_create_user_plans": createUserPlans,
};
