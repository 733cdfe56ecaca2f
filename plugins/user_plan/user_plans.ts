import { type Clock, invalid } from "edgehelm";
import { today } from "edgehelm/fields";
import type { UserPlans, UserPlanSummary } from "./contract.ts";
import type { UserPlanRow, UserPlanStore } from "./store.ts";

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
