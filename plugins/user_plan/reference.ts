import { type Call, distinct } from "edgehelm";
import type { Plans, PlanSummary } from "../plan/contract.ts";
import type { ServerReferenceResolver, Servers } from "../server/contract.ts";
import type { UserPlans } from "./contract.ts";
import { requireRoom } from "./room.ts";
import type { UserPlanStore } from "./store.ts";
import type { PlanTerms } from "./terms.ts";

interface ReferenceDeps {
  readonly userPlans: UserPlanStore;
  readonly contract: UserPlans;
  readonly plans: Plans;
  readonly servers: Servers | undefined;
  readonly terms: PlanTerms;
}

/** Resolves the plans that sites are bound to: who may use them, what fits into them, and what nodes learn of them. */
export function userPlanReference(
  { userPlans, contract, plans, servers, terms }: ReferenceDeps,
): ServerReferenceResolver {
  async function planOf(call: Call, userPlanId: bigint): Promise<PlanSummary | undefined> {
    const row = await userPlans.byId.first(call, { id: userPlanId });
    return row && (await plans.summaries(call, [row.planId])).get(row.planId);
  }

  return {
    kind: "user_plan",

    requireFor: async (call, field, id, userId) => void await contract.requireUsable(call, field, id, userId),

    clusterOf: async (call, id) => (await planOf(call, id))?.clusterId ?? 0n,

    async requireRoom(call, field, id, site) {
      const plan = await planOf(call, id);
      if (plan !== undefined) await requireRoom(call, servers, field, id, plan, site);
    },

    async features(call, ids) {
      const rows = await userPlans.byIds.all(call, { ids });
      const planOf = await plans.summaries(call, distinct(rows.map(({ planId }) => planId)));
      return new Map(rows.flatMap(({ id, planId }) => {
        const features = planOf.get(planId)?.features;
        return features === undefined ? [] : [[id, features] as const];
      }));
    },

    async served(call, ids) {
      const rows = await userPlans.byIds.all(call, { ids });
      return new Set(rows.filter((row) => terms.serves(row)).map(({ id }) => id));
    },

    async configs(call, ids) {
      const rows = await userPlans.byIds.all(call, { ids });
      const planConfigs = await plans.configs(call, distinct(rows.map(({ planId }) => planId)));
      return new Map(rows.map(({ id, dayTo, planId }) => {
        const plan = planConfigs.get(planId) ?? null;
        // nodes compare this day themselves
        const config = { id: Number(id), dayTo: terms.lastServed(dayTo), planId: Number(planId), plan };
        return [id, new TextEncoder().encode(JSON.stringify(config))];
      }));
    },
  };
}
