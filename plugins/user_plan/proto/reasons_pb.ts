// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserPlanService/buyUserPlan": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user.not_found","user.state_forbids","user.unknown","user_account.insufficient","user_account.too_much","user_plan.not_found","user_plan.not_sold","user_plan.plan_off"],
  "/UserPlanService/countAllEnabledUserPlans": ["kernel.invalid_field"],
  "/UserPlanService/deleteUserPlan": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_plan.in_use","user_plan.not_found"],
  "/UserPlanService/findAllEnabledUserPlansForServer": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_plan.not_found"],
  "/UserPlanService/findEnabledUserPlan": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_plan.not_found"],
  "/UserPlanService/listEnabledUserPlans": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_plan.not_found"],
  "/UserPlanService/renewUserPlan": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user.not_found","user.state_forbids","user.unknown","user_account.insufficient","user_account.too_much","user_plan.not_found","user_plan.not_sold","user_plan.plan_off"],
  "/UserPlanService/updateUserPlan": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user_plan.no_room","user_plan.not_found"],
};
