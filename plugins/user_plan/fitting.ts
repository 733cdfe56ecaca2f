import { type Call, distinct } from "edgehelm";
import type { Plans } from "../plan/contract.ts";
import type { Servers } from "../server/contract.ts";
import { lackOfRoom, type PlannedSite } from "./room.ts";
import type { UserPlanRow } from "./store.ts";

interface FittingDeps {
  readonly plans: Plans;
  readonly servers: Servers | undefined;
}

/**
 * Returns those of a user's plans to which a site could be bound: with room for it and its names, and with the features
 * that it uses. A site that does not exist, or that belongs to another user, counts as a site without names.
 */
export async function fittingPlans(
  call: Call,
  { plans, servers }: FittingDeps,
  rows: readonly UserPlanRow[],
  serverId: bigint,
): Promise<UserPlanRow[]> {
  const planOf = await plans.summaries(call, distinct(rows.map(({ planId }) => planId)));
  const found = serverId === 0n ? undefined : await servers?.planned(call, serverId);
  const fitting: UserPlanRow[] = [];
  for (const row of rows) {
    const plan = planOf.get(row.planId);
    if (plan === undefined) continue;
    const stored = found?.userId === row.userId ? found : undefined;
    const site: PlannedSite = stored ?? { id: serverId, countServerNames: 0n };
    if (lackOfRoom(plan, await servers?.ofUserPlan(call, row.id) ?? [], site) !== undefined) continue;
    const isLimited = stored !== undefined && plan.features !== undefined && row.id !== stored.userPlanId;
    const obstacles = isLimited ? await servers!.featureObstacles(call, [stored], plan.features) : [];
    if (obstacles.length === 0) fitting.push(row);
  }
  return fitting;
}
