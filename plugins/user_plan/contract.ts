import { type Call, type Contract, defineContract } from "edgehelm";

/** A plan that a user has bought, as it stands beside other things. */
export interface UserPlanSummary {
  readonly id: bigint;
  readonly userId: bigint;
  readonly planId: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The last day, such as 2026-01-31. */
  readonly dayTo: string;
  /** Whether it has not expired and is turned on. */
  readonly isUsable: boolean;
}

/** Which plan it is, and how long it lasts. */
export interface UserPlanTerms {
  readonly planId: bigint;
  /** The last day, such as 2026-01-31. */
  readonly dayTo: string;
}

/** What other plugins may ask of the plans that users have bought. */
export interface UserPlans {
  /** User plans that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, userPlanIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPlanSummary>>;
  /** Refuses, naming `field`, unless the plan exists, is the user's and is usable. */
  requireUsable(call: Call, field: string, userPlanId: bigint, userId: bigint): Promise<UserPlanSummary>;
  /** Terms by id of the user plan; also of those that have been deleted, since bills look back. */
  terms(call: Call, userPlanIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserPlanTerms>>;
}
export const UserPlans: Contract<UserPlans> = defineContract("user_plan");
