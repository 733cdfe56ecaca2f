import { type Clock, distinct } from "edgehelm";
import { today } from "edgehelm/fields";
import type { PlanHolders } from "../plan/contract.ts";
import type { UserPlanLists } from "./store_lists.ts";

/** Finds the plans of users for plugins that do not require this one. */
export function planHolders(lists: UserPlanLists, clock: Clock): PlanHolders {
  return {
    async usablePlanIds(call, userId) {
      return distinct((await lists.usable(call, userId, today(clock))).map(({ planId }) => planId));
    },
  };
}
