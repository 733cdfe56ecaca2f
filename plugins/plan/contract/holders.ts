import { type Call, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** Finds the plans of users, for plugins that cannot require the plugin that sells them. */
export interface PlanHolders {
  /** Returns the plans that a user has bought, as long as they are turned on and have not expired. */
  usablePlanIds(call: Call, userId: bigint): Promise<readonly bigint[]>;
}
export const PlanHolders: ExtensionPoint<PlanHolders> = defineExtensionPoint("plan.holders");
