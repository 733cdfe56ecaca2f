// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/PlanService/countAllEnabledPlans": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/createPlan": ["kernel.invalid_field","node_cluster.not_found","plan.not_found"],
  "/PlanService/deletePlan": ["kernel.invalid_field","plan.in_use","plan.not_found"],
  "/PlanService/findAllAvailableBasicPlans": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/findAllAvailablePlans": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/findBasicPlan": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/findEnabledPlan": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/listEnabledPlans": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/sortPlans": ["kernel.invalid_field","plan.not_found"],
  "/PlanService/updatePlan": ["kernel.invalid_field","node_cluster.not_found","plan.not_found"],
};
