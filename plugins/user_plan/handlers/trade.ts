import { type Call, dayField, type Handlers, idField, invalid, ownerOf, textField, today, unixSeconds } from "edgehelm";
import type { PlanSummary } from "../../plan/contract.ts";
import { errors } from "../errors.ts";
import { notifyServers } from "../ownership.ts";
import { type End, endAfter, endOn, purchaseOf } from "../periods.ts";
import type { UserPlanService } from "../proto/service_user_plan_pb.ts";
import type { Deps } from "./deps.ts";

interface TradeRequest {
  readonly period: string;
  readonly countPeriod: number;
  readonly dayTo: string;
}

/** Buying and renewing: in one transaction the money goes and the time comes. */
export function tradeHandlers(
  { userPlans, accounts, plans, users, servers, clock }: Deps,
): Pick<Handlers<typeof UserPlanService>, "buyUserPlan" | "renewUserPlan"> {
  /** Charges a plan that is paid ahead, and says when it ends; others end on the day that is asked for. */
  async function trade(call: Call, userId: bigint, plan: PlanSummary, request: TradeRequest, from: End): Promise<End> {
    if (!plan.isOn) throw errors.plan_off(plan.name);
    if (plan.priceType !== "period") {
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
      const plan = await plans.requirePlan(call, "planId", idField("planId", request.planId));
      const end = await trade(call, userId, plan, request, endOn(today(clock)));
      const bought = { userId, planId: plan.id, name: name || plan.name, createdAt: unixSeconds(clock), ...end };
      const { id } = await userPlans.insert.one(call, bought);
      return { userPlanId: id };
    },

    async renewUserPlan(request, call) {
      const userPlan = await userPlans.require(call, "userPlanId", request.userPlanId);
      const plan = await plans.requirePlan(call, "userPlanId", userPlan.planId);
      const end = await trade(call, userPlan.userId, plan, request, userPlan);
      await userPlans.extend.run(call, { id: userPlan.id, ...end });
      await notifyServers(servers, call, userPlan.id);
      return {};
    },
  };
}
