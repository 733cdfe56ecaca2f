import type { Call, UseCheck } from "edgehelm";
import type { Servers } from "../server/contract.ts";

/** Marks the sites under a plan for update: whether they are served may have changed. */
export async function notifyServers(servers: Servers | undefined, call: Call, userPlanId: bigint): Promise<void> {
  const bound = await servers?.ofUserPlan(call, userPlanId) ?? [];
  if (bound.length > 0) await servers!.configChanged(call, bound.map(({ id }) => id));
}

/** Which sites a plan pays for. */
export function serverUses(servers: Servers): UseCheck {
  return {
    async referencesTo(call, userPlanId, limit) {
      return (await servers.ofUserPlan(call, userPlanId)).slice(0, limit).map(({ name }) => `site "${name}"`);
    },
  };
}
