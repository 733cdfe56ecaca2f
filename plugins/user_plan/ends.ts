import type { Call, Clock } from "edgehelm";
import { today } from "edgehelm/fields";
import type { Servers } from "../server/contract.ts";
import type { Events } from "edgehelm/runtime";
import { ended, endsSoon, planData } from "./events.ts";
import type { EndingUserPlan, UserPlanListener } from "./contract.ts";
import { markSitesForUpdate } from "./sites.ts";
import type { UserPlanStore } from "./store.ts";
import type { PlanTerms } from "./terms.ts";

const BATCH_SIZE = 200;

export interface PlanEndsDeps {
  readonly userPlans: UserPlanStore;
  readonly terms: PlanTerms;
  readonly servers: Servers | undefined;
  readonly clock: Clock;
  readonly events: Events;
  readonly listeners: readonly UserPlanListener[];
}

/** Announces plans that end soon, once for each last day. */
export async function announceEnds(
  call: Call,
  { userPlans, terms, clock, events, listeners }: PlanEndsDeps,
): Promise<void> {
  const page = { from: today(clock), to: terms.warnUntil, limit: BATCH_SIZE };
  await inTransactions(call, (inner) => userPlans.unannounced.all(inner, page), async (inner, plans) => {
    for (const plan of plans) {
      await events.emit(inner, endsSoon, planData(plan), plan.userId);
      for (const listener of listeners) await listener.ending?.(inner, plan);
      inner.log.info("user plan ends soon", { ...plan });
    }
    await userPlans.markAnnounced.run(inner, { ids: plans.map(({ id }) => id) });
  });
}

/** Stops the sites of plans whose days of grace are over: marks them for update, in batches. */
export async function stopEnded(
  call: Call,
  { userPlans, terms, servers, events, listeners }: PlanEndsDeps,
): Promise<void> {
  const page = { day: terms.servedFrom, limit: BATCH_SIZE };
  await inTransactions(call, (inner) => userPlans.unnotifiedBefore.all(inner, page), async (inner, plans) => {
    for (const plan of plans) {
      await markSitesForUpdate(servers, inner, plan.id);
      await events.emit(inner, ended, planData(plan), plan.userId);
      for (const listener of listeners) await listener.ended?.(inner, plan);
      inner.log.info("user plan ended", { ...plan });
    }
    await userPlans.markNotified.run(inner, { ids: plans.map(({ id }) => id) });
  });
}

/** Handles each batch in the transaction that found it, until one is not full. */
async function inTransactions(
  call: Call,
  next: (call: Call) => Promise<EndingUserPlan[]>,
  handle: (call: Call, plans: readonly EndingUserPlan[]) => Promise<void>,
): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
    count = await call.transact(async (inner) => {
      const plans = await next(inner);
      if (plans.length > 0) await handle(inner, plans);
      return plans.length;
    });
  }
}
