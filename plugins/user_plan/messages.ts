import { type Call, distinct } from "edgehelm";
import { amountNumber } from "edgehelm/fields";
import type { PlanSummary } from "../plan/contract.ts";
import type { ServerSummary } from "../server/contract.ts";
import type { RelatedContracts } from "./handlers/deps.ts";
import type { UserPlanRow } from "./store.ts";

/** Returns messages of user plans with user, plan and sites, except for deleted users. */
export async function userPlanMessages(
  call: Call,
  { users, plans, servers }: Pick<RelatedContracts, "users" | "plans" | "servers">,
  rows: readonly UserPlanRow[],
) {
  // queries started in the same turn share one round trip to a remote database
  const [userOf, planOf, sitesOf] = await Promise.all([
    users.nested(call, distinct(rows.map(({ userId }) => userId))),
    plans.summaries(call, distinct(rows.map(({ planId }) => planId))),
    Promise.all(rows.map(async ({ id }) => await servers?.ofUserPlan(call, id) ?? [])),
  ]);
  const messages = [];
  for (const [index, { id, userId, planId, isOn, dayTo, name }] of rows.entries()) {
    const user = userOf.get(userId);
    const plan = planOf.get(planId);
    if (user === undefined) continue;
    const sites = sitesOf[index]!.map(serverMessage);
    messages.push({
      id,
      userId,
      planId,
      isOn: isOn === 1n,
      dayTo,
      name,
      user,
      ...(plan && { plan: planMessage(plan) }),
      ...(sites.length > 0 && { server: sites[0]! }),
      servers: sites,
    });
  }
  return messages;
}

function planMessage({ id, name, isOn, clusterId, priceType, totalServers, periodPrices }: PlanSummary) {
  return {
    id,
    name,
    isOn,
    clusterId,
    priceType,
    totalServers,
    monthlyPrice: amountNumber(periodPrices.monthly),
    seasonallyPrice: amountNumber(periodPrices.seasonally),
    yearlyPrice: amountNumber(periodPrices.yearly),
  };
}

function serverMessage({ id, name, userId, userPlanId }: ServerSummary) {
  return { id, name, userId, userPlanId };
}
