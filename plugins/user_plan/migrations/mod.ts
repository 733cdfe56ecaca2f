import * as createUserPlans from "./0001_create_user_plans.ts";
import * as warnBeforeTheEnd from "./0002_warn_before_the_end.ts";
import * as createUserPlanChanges from "./0003_create_user_plan_changes.ts";

export const migrations = {
  "0001_create_user_plans": createUserPlans,
  "0002_warn_before_the_end": warnBeforeTheEnd,
  "0003_create_user_plan_changes": createUserPlanChanges,
};
