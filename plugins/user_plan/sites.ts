import type { Call, UseCheck } from "edgehelm";
import type { Servers } from "../server/contract.ts";
import type { UserPlanStore } from "./store.ts";

const MAX_USER_PLANS = 1_000_000;

/** Marks the sites of a plan for update, because they may start or stop being served. */
export async function markSitesForUpdate(servers: Servers | undefined, call: Call, userPlanId: bigint): Promise<void> {
  const bound = await servers?.ofUserPlan(call, userPlanId) ?? [];
  if (bound.length > 0) await servers!.configChanged(call, bound.map(({ id }) => id));
}

/** Marks the sites of all users of a plan for update, because its limits changed. */
export async function markSitesOfPlan(
  { userPlans, servers }: { readonly userPlans: UserPlanStore; readonly servers: Servers | undefined },
  call: Call,
  planId: bigint,
): Promise<void> {
  for (const { id } of await userPlans.ofPlan.all(call, { id: planId, limit: MAX_USER_PLANS })) {
    await markSitesForUpdate(servers, call, id);
  }
}

/** Prevents plans with sites from being deleted. */
export function serverUses(servers: Servers): UseCheck {
  return {
    async referencesTo(call, userPlanId, limit) {
      return (await servers.ofUserPlan(call, userPlanId)).slice(0, limit).map(({ name }) => `site "${name}"`);
    },
  };
}
