import { type Call, type Clock, invalid } from "edgehelm";
import { today } from "edgehelm/fields";
import type { Plans } from "../plan/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { UserPlans, UserPlanSummary } from "./contract.ts";
import { markSitesForUpdate } from "./sites.ts";
import type { UserPlanRow, UserPlanStore } from "./store.ts";

const BATCH_SIZE = 200;

/** Implements the contract on top of the store. */
export function userPlansContract(userPlans: UserPlanStore, clock: Clock): UserPlans {
  function summary({ id, userId, planId, name, dayTo, isOn }: UserPlanRow): UserPlanSummary {
    return { id, userId, planId, name, isOn: isOn === 1n, dayTo, isUsable: isOn === 1n && dayTo >= today(clock) };
  }
  return {
    summaries: userPlans.references(summary).summaries,
    async requireUsable(call, field, id, userId) {
      const row = await userPlans.byId.first(call, { id });
      if (row === undefined || row.userId !== userId) throw invalid(field, `user plan ${id} does not exist`);
      const found = summary(row);
      if (!found.isOn) throw invalid(field, `user plan ${id} is turned off`);
      if (!found.isUsable) throw invalid(field, `user plan ${id} expired on ${found.dayTo}`);
      return found;
    },
    async terms(call, ids) {
      return new Map((await userPlans.terms.all(call, { ids: [...ids] })).map(({ id, ...terms }) => [id, terms]));
    },
  };
}

/** Returns the cluster that the plan of a user specifies; 0 for none. */
export async function clusterOfPlan(
  call: Call,
  { userPlans, plans }: { readonly userPlans: UserPlanStore; readonly plans: Plans },
  userPlanId: bigint,
): Promise<bigint> {
  const row = await userPlans.byId.first(call, { id: userPlanId });
  return row === undefined ? 0n : (await plans.summaries(call, [row.planId])).get(row.planId)?.clusterId ?? 0n;
}

/** Marks the sites of expired plans for update, in batches. */
export async function notifyOfExpired(
  call: Call,
  userPlans: UserPlanStore,
  servers: Servers | undefined,
  clock: Clock,
): Promise<void> {
  for (let processed = BATCH_SIZE; processed === BATCH_SIZE;) {
    processed = await call.transact(async (inner) => {
      const expired = await userPlans.unnotifiedBefore.all(inner, { day: today(clock), limit: BATCH_SIZE });
      for (const { id } of expired) await markSitesForUpdate(servers, inner, id);
      if (expired.length > 0) await userPlans.markNotified.run(inner, { ids: expired.map(({ id }) => id) });
      return expired.length;
    });
  }
}
