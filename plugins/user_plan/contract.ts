import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { Summaries } from "edgehelm/rows";

/** A summary of a plan that a user has bought. */
export interface UserPlanSummary {
  readonly id: bigint;
  readonly userId: bigint;
  readonly planId: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The last day, such as 2026-01-31. */
  readonly dayTo: string;
  /** True if the plan is turned on and has not expired. */
  readonly isUsable: boolean;
}

/** The plan and its last day. */
export interface UserPlanTerms {
  readonly planId: bigint;
  /** The last day, such as 2026-01-31. */
  readonly dayTo: string;
}

/** Gives other plugins access to the plans that users have bought. */
export interface UserPlans extends Summaries<UserPlanSummary> {
  /**
   * Returns a user plan. Refuses, with an error that names `field`, one that does not exist, belongs to another user or
   * is not usable.
   */
  requireUsable(call: Call, field: string, userPlanId: bigint, userId: bigint): Promise<UserPlanSummary>;
  /** Returns the terms of user plans by id, including deleted ones, because bills are for past periods. */
  terms(call: Call, userPlanIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPlanTerms>>;
}
export const UserPlans: Contract<UserPlans> = defineContract("user_plan");

/** A plan of a user that ends soon or has ended. */
export interface EndingUserPlan {
  readonly id: bigint;
  readonly userId: bigint;
  readonly planId: bigint;
  readonly name: string;
  /** The last day, such as 2026-01-31. */
  readonly dayTo: string;
}

/** A listener for the ends of plans. Its methods run in the transaction that marks the end as announced. */
export interface UserPlanListener {
  /** Called once for each last day of a plan, some days before it: `warnDays` of the configuration. */
  ending?(call: Call, plan: EndingUserPlan): Promise<void>;
  /** Called once for each last day of a plan, after its days of grace, when its sites stop. */
  ended?(call: Call, plan: EndingUserPlan): Promise<void>;
}
export const UserPlanListeners: ExtensionPoint<UserPlanListener> = defineExtensionPoint("user_plan.listeners");
