import type { Call, UseCheck } from "edgehelm";
import type { Servers } from "../server/contract.ts";
import type { UserPlanStore } from "./store.ts";

/** The number of plans of users whose sites are marked in one transaction, small enough not to delay other writes. */
const BATCH_SIZE = 100;

/** The dependencies of marking the sites of a plan. */
export interface PlanSitesDeps {
  readonly userPlans: UserPlanStore;
  readonly servers: Servers | undefined;
}

/** Marks the sites of a plan for update, because they may start or stop being served. */
export async function markSitesForUpdate(servers: Servers | undefined, call: Call, userPlanId: bigint): Promise<void> {
  const bound = await servers?.ofUserPlan(call, userPlanId) ?? [];
  if (bound.length > 0) await servers!.configChanged(call, bound.map(({ id }) => id));
}

/**
 * Marks the sites of all users of a plan for update, because its limits changed: of the first at once, of the others
 * by the job.
 */
export async function markSitesOfPlan(deps: PlanSitesDeps, call: Call, planId: bigint): Promise<void> {
  const { userPlans } = deps;
  const last = await markSome(deps, call, planId, 0n);
  if (last === undefined) await userPlans.endChange.run(call, { planId });
  else await userPlans.setChange.run(call, { planId, after: last });
}

/** Marks the sites of the users of plans that changed, in batches. It goes on where it was interrupted. */
export async function markSitesOfChangedPlans(call: Call, deps: PlanSitesDeps): Promise<void> {
  const { userPlans } = deps;
  for (let isDone = false; !isDone;) {
    isDone = await call.transact(async (inner) => {
      const change = await userPlans.nextChange.first(inner, {});
      if (change === undefined) return true;
      const { planId } = change;
      const after = await markSome(deps, inner, planId, change.after);
      if (after === undefined) await userPlans.endChange.run(inner, { planId });
      else await userPlans.setChange.run(inner, { planId, after });
      return false;
    });
  }
}

/** Marks the sites of a batch of users. Returns the last plan of a user in it, or undefined if there are no more. */
async function markSome(
  { userPlans, servers }: PlanSitesDeps,
  call: Call,
  planId: bigint,
  after: bigint,
): Promise<bigint | undefined> {
  const batch = await userPlans.ofPlanAfter.all(call, { planId, after, limit: BATCH_SIZE });
  for (const { id } of batch) await markSitesForUpdate(servers, call, id);
  return batch.length < BATCH_SIZE ? undefined : batch.at(-1)!.id;
}

/** Prevents plans with sites from being deleted. */
export function serverUses(servers: Servers): UseCheck {
  return {
    async referencesTo(call, userPlanId, limit) {
      return (await servers.ofUserPlan(call, userPlanId)).slice(0, limit).map(({ name }) => `site "${name}"`);
    },
  };
}
