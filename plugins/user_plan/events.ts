import { defineEvent } from "edgehelm/runtime";
import type { EndingUserPlan } from "./contract.ts";
import { UserPlanEndedSchema, UserPlanEndsSoonSchema } from "./proto/events_pb.ts";

export const endsSoon = defineEvent({
  name: "user_plan.ends_soon",
  level: "warning",
  data: UserPlanEndsSoonSchema,
  about: "userPlanId",
  isForOwner: true,
  modules: ["plan"],
  texts: {
    en: { subject: "The plan {name} ends on {lastDay}", body: "Renew the plan {name} until then to keep its sites." },
    zh: { subject: "套餐 {name} 将于 {lastDay} 到期", body: "请在此之前续费套餐 {name}，以保留其网站。" },
  },
});

export const ended = defineEvent({
  name: "user_plan.ended",
  level: "error",
  data: UserPlanEndedSchema,
  about: "userPlanId",
  isForOwner: true,
  modules: ["plan"],
  texts: {
    en: { subject: "The plan {name} ended on {lastDay}", body: "The sites of the plan {name} stop." },
    zh: { subject: "套餐 {name} 已于 {lastDay} 到期", body: "套餐 {name} 的网站停止服务。" },
  },
});

export const EVENTS = [endsSoon, ended];

/** Returns the data of both events. */
export function planData({ id, planId, name, dayTo }: EndingUserPlan) {
  return { userPlanId: id, planId, name, lastDay: dayTo };
}
