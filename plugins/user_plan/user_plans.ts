import { type Call, type Clock, invalid, today, type UseCheck } from "edgehelm";
import type { Servers } from "../server/contract.ts";
import type { UserPlans, UserPlanSummary } from "./contract.ts";
import { notifyServers } from "./ownership.ts";
import type { UserPlanRow, UserPlanStore } from "./store.ts";

const TOLD_AT_ONCE = 200;

/** The contract over the store. */
export function userPlansOver(userPlans: UserPlanStore, clock: Clock): UserPlans {
  function summary({ id, userId, planId, name, dayTo, isOn }: UserPlanRow): UserPlanSummary {
    return { id, userId, planId, name, isOn: isOn === 1n, dayTo, isUsable: isOn === 1n && dayTo >= today(clock) };
  }
  return {
    async summaries(call, ids) {
      return new Map((await userPlans.byIds.all(call, { ids: [...ids] })).map((row) => [row.id, summary(row)]));
    },
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

/** Who has bought a plan. */
export function planUses(userPlans: UserPlanStore): UseCheck {
  return {
    async referencesTo(call, planId, limit) {
      const bought = await userPlans.ofPlan.all(call, { planId, limit });
      return bought.map(({ name, userId }) => `user plan "${name}" of user ${userId}`);
    },
  };
}

/** Tells the sites under plans that have expired, some at a time. */
export async function notifyOfExpired(
  call: Call,
  userPlans: UserPlanStore,
  servers: Servers | undefined,
  clock: Clock,
): Promise<void> {
  for (let told = TOLD_AT_ONCE; told === TOLD_AT_ONCE;) {
    told = await call.transact(async (inner) => {
      const expired = await userPlans.untoldBefore.all(inner, { day: today(clock), limit: TOLD_AT_ONCE });
      for (const { id } of expired) await notifyServers(servers, inner, id);
      if (expired.length > 0) await userPlans.markTold.run(inner, { ids: expired.map(({ id }) => id) });
      return expired.length;
    });
  }
}
