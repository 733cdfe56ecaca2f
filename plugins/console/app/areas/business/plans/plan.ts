import { callPath } from "../../../shell/call.ts";
import type { Plan } from "../../../parts/money/models.ts";

export const CREATE = "PlanService/createPlan";
export const UPDATE = "PlanService/updatePlan";
export const REMOVE = "PlanService/deletePlan";
export const SORT = "PlanService/sortPlans";
export const LIST = {
  list: "PlanService/listEnabledPlans",
  field: "plans",
  count: "PlanService/countAllEnabledPlans",
};

/** A plan with everything that operators set. */
export interface WholePlan extends Plan {
  readonly isOn: boolean;
  readonly clusterId: bigint;
  readonly dailyWebsocketConnections: bigint;
  readonly monthlyWebsocketConnections: bigint;
  readonly bandwidthLimitPerNodeJSON: Uint8Array;
  readonly quotasJSON?: Uint8Array;
}

export async function findPlan(id: bigint, signal?: AbortSignal): Promise<WholePlan | undefined> {
  return (await callPath("PlanService/findEnabledPlan", { planId: id }, signal))["plan"] as WholePlan | undefined;
}
