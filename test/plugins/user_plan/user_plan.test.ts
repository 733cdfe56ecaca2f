import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, balanceOf, buy, createTestPlan, edgehelm, lastDay, month, sites, useKernel, userWith } from "./rig.ts";

const { buyUserPlan, deleteUserPlan, findEnabledUserPlan, renewUserPlan } = UserPlanService.method;

useKernel();

test.each(["http", "connect", "grpcweb"] as const)("a user buys, renews and deletes a plan over %s", async (wire) => {
  const userId = await userWith(edgehelm, 100);
  const ada = as.user(userId);
  const planId = await createTestPlan(edgehelm, { clusterId: 0n, totalServers: 5 });
  const { userPlanId } = await edgehelm.call(ada, buyUserPlan, { planId, ...month, userId: 999n }, wire);
  expect(await balanceOf(edgehelm, userId)).toBe(90);
  expect((await edgehelm.call(ada, findEnabledUserPlan, { userPlanId }, wire)).userPlan).toMatchObject({
    id: userPlanId,
    userId,
    planId,
    isOn: true,
    name: "small",
    dayTo: "2026-02-28",
    user: { id: userId },
    plan: { id: planId, name: "small", priceType: "period", monthlyPrice: 10, totalServers: 5 },
    servers: [],
  });

  await edgehelm.call(ada, renewUserPlan, { userPlanId, period: "monthly", countPeriod: 2 }, wire);
  expect(await balanceOf(edgehelm, userId)).toBe(70);
  expect(await lastDay(userPlanId)).toBe("2026-04-30");
  const { userAccountLogs } = await edgehelm.call(ada, UserAccountLogService.method.listUserAccountLogs, {}, wire);
  expect(userAccountLogs.slice(0, 2)).toMatchObject([
    { delta: -20, total: 70, eventType: "buyPlan", description: 'plan "small", 2 monthly, until 2026-04-30' },
    { delta: -10, total: 90, eventType: "buyPlan", description: 'plan "small", 1 monthly, until 2026-02-28' },
  ]);

  await edgehelm.call(ada, deleteUserPlan, { userPlanId }, wire);
  expect(await edgehelm.call(ada, findEnabledUserPlan, { userPlanId }, wire)).not.toHaveProperty("userPlan");
  await expect(edgehelm.call(ada, renewUserPlan, { userPlanId, ...month }, wire))
    .rejects.toMatchObject({ code: 404, reason: "user_plan.not_found" });
});

test("plans that are in use cannot be deleted", async () => {
  const [userId, planId] = [await userWith(edgehelm, 10), await createTestPlan(edgehelm)];
  const userPlanId = await buy(userId, planId, { name: "mine" });
  sites.bind(userPlanId, 72n, "blog");
  await expect(edgehelm.call(admin, deleteUserPlan, { userPlanId }))
    .rejects.toMatchObject({ code: 409, message: `user plan ${userPlanId} is used by site "blog"` });
  await expect(edgehelm.call(admin, PlanService.method.deletePlan, { planId }))
    .rejects.toMatchObject({ code: 409, message: `plan ${planId} is used by user plan "mine" of user ${userId}` });
});

test("the plans of a user are deleted with the user", async () => {
  const userId = await userWith(edgehelm, 100);
  const planId = await createTestPlan(edgehelm);
  const userPlanId = await buy(userId, planId);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  expect(await edgehelm.call(admin, findEnabledUserPlan, { userPlanId })).not.toHaveProperty("userPlan");
  await edgehelm.kernel.runJob("user.remove_deleted");
  await edgehelm.call(admin, PlanService.method.deletePlan, { planId });
});
