import type { Call, UseCheck } from "edgehelm";
import type { Servers } from "../server/contract.ts";

/** Marks the sites of a plan for update, because they may start or stop being served. */
export async function markSitesForUpdate(servers: Servers | undefined, call: Call, userPlanId: bigint): Promise<void> {
  const bound = await servers?.ofUserPlan(call, userPlanId) ?? [];
  if (bound.length > 0) await servers!.configChanged(call, bound.map(({ id }) => id));
}

/** Prevents plans with sites from being deleted. */
export function serverUses(servers: Servers): UseCheck {
  return {
    async referencesTo(call, userPlanId, limit) {
      return (await servers.ofUserPlan(call, userPlanId)).slice(0, limit).map(({ name }) => `site "${name}"`);
    },
  };
}
