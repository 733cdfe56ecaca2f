import { type Call, choiceField, type Handlers, idField, invalid, ownerOf, textField, unixSeconds } from "edgehelm";
import { dayField, today } from "edgehelm/fields";
import type { PlanSummary } from "../../plan/contract.ts";
import { errors } from "../errors.ts";
import { markSitesForUpdate } from "../sites.ts";
import { type End, endAfter, endOn, PERIODS, purchaseOf } from "../periods.ts";
import { USER_PLANS } from "../quota.ts";
import type { UserPlanService } from "../proto/service_user_plan_pb.ts";
import type { Deps } from "./deps.ts";

interface PurchaseRequest {
  readonly period: string;
  readonly countPeriod: number;
  readonly dayTo: string;
}

/** The operations that buy and renew plans; charging and extending a plan is one transaction. */
export function purchaseHandlers(
  { userPlans, lists, accounts, plans, users, states, servers, quotas, clock }: Deps,
): Pick<Handlers<typeof UserPlanService>, "buyUserPlan" | "renewUserPlan"> {
  /** Charges a prepaid plan and returns its new end; a postpaid plan ends on the requested day. */
  async function charge(
    call: Call,
    userId: bigint,
    plan: PlanSummary,
    request: PurchaseRequest,
    from: End,
  ): Promise<End> {
    if (!plan.isOn) throw errors.plan_off(plan.name);
    if (plan.priceType !== "period") {
      if (request.period !== "") choiceField("period", request.period, PERIODS);
      const dayTo = dayField("dayTo", request.dayTo);
      if (dayTo < from.dayTo) throw invalid("dayTo", `must not be before ${from.dayTo}, got ${dayTo}`);
      return endOn(dayTo);
    }
    const { months, price, text } = purchaseOf(plan, request);
    const end = endAfter(from, months, today(clock));
    if (price > 0n) {
      const description = `plan "${plan.name}", ${text}, until ${end.dayTo}`;
      await accounts.book(call, { userId, delta: -price, eventType: "buyPlan", description });
    }
    return end;
  }

  return {
    async buyUserPlan(request, call) {
      const userId = idField("userId", ownerOf(call, request.userId));
      const name = textField("name", request.name);
      await users.requireUser(call, "userId", userId);
      await states.require(call, userId, "purchase");
      const count = async () => (await lists.count(call, { userId, days: undefined })).count;
      await quotas?.require(call, USER_PLANS, userId, 1, count);
      const plan = await plans.requirePlan(call, "planId", idField("planId", request.planId));
      const end = await charge(call, userId, plan, request, endOn(today(clock)));
      const userPlan = { userId, planId: plan.id, name: name || plan.name, createdAt: unixSeconds(clock), ...end };
      const { id } = await userPlans.insert.one(call, userPlan);
      return { userPlanId: id };
    },

    async renewUserPlan(request, call) {
      const userPlan = await userPlans.require(call, "userPlanId", request.userPlanId);
      await states.require(call, userPlan.userId, "purchase");
      const plan = await plans.requirePlan(call, "userPlanId", userPlan.planId);
      const end = await charge(call, userPlan.userId, plan, request, userPlan);
      await userPlans.extend.run(call, { id: userPlan.id, ...end });
      await markSitesForUpdate(servers, call, userPlan.id);
      return {};
    },
  };
}
