import type { PlanHolders, Plans } from "../plan/contract.ts";
import type { UserQuota, UserQuotaOverride } from "../user_quota/contract.ts";

/** The quota of plans of one user. */
export const USER_PLANS: UserQuota = { name: "userPlans", max: 100n };

const NO_LIMIT = 0n;

/** Sets the quotas of users by their plans: the most that a plan allows that has not expired and is turned on. */
export function quotasOfPlans(holders: PlanHolders, plans: Plans): UserQuotaOverride {
  return {
    async maxOf(call, userId, name) {
      const bought = await holders.usablePlanIds(call, userId);
      if (bought.length === 0) return undefined;
      const quotas = await plans.quotas(call, bought);
      const maxima = [...quotas.values()].flatMap((ofPlan) => ofPlan.get(name) ?? []);
      if (maxima.length === 0 || maxima.includes(NO_LIMIT)) return maxima.length === 0 ? undefined : NO_LIMIT;
      return maxima.reduce((most, max) => max > most ? max : most);
    },
  };
}
