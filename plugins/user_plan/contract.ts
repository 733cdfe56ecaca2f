import { type Call, type Contract, defineContract } from "edgehelm";
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
