import { describe, expect, test } from "vitest";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, balanceOf, buy, createTestPlan, edgehelm, json, lastDay, month, useKernel, userWith } from "./rig.ts";

const { renewUserPlan } = UserPlanService.method;

useKernel();

describe("the balance", () => {
  test("must suffice to buy a plan", async () => {
    const userId = await userWith(edgehelm, 9.99);
    const planId = await createTestPlan(edgehelm);
    await expect(buy(userId, planId)).rejects.toMatchObject({
      code: 409,
      reason: "user_account.insufficient",
      message: `the account of user ${userId} has a balance of 9.99, which is less than 10.00`,
    });
    const { count } = await edgehelm.call(admin, UserPlanService.method.countAllEnabledUserPlans, { userId });
    expect([count, await balanceOf(edgehelm, userId)]).toEqual([0n, 9.99]);
  });

  test("must suffice to renew a plan", async () => {
    const userId = await userWith(edgehelm, 15);
    const userPlanId = await buy(userId, await createTestPlan(edgehelm));
    await expect(edgehelm.call(admin, renewUserPlan, { userPlanId, ...month })).rejects.toMatchObject({ code: 409 });
    expect([await lastDay(userPlanId), await balanceOf(edgehelm, userId)]).toEqual(["2026-02-28", 5]);
  });

  test("and the last day are consistent after concurrent renewals", async () => {
    const userId = await userWith(edgehelm, 10 + 50);
    const userPlanId = await buy(userId, await createTestPlan(edgehelm));
    const renewals = Array.from({ length: 12 }, () => edgehelm.call(admin, renewUserPlan, { userPlanId, ...month }));
    const results = await Promise.allSettled(renewals);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect([await lastDay(userPlanId), await balanceOf(edgehelm, userId)]).toEqual(["2026-07-31", 0]);
  });

  test("is not charged for postpaid plans, which end on the requested day", async () => {
    const userId = await userWith(edgehelm, 0);
    const planId = await createTestPlan(edgehelm, { priceType: "traffic", trafficPriceJSON: json({ base: 0.1 }) });
    const userPlanId = await buy(userId, planId, { dayTo: "20260630" });
    expect(await lastDay(userPlanId)).toBe("2026-06-30");
    await expect(edgehelm.call(admin, renewUserPlan, { userPlanId, dayTo: "2026-06-29" }))
      .rejects.toMatchObject({ code: 400, message: "dayTo: must not be before 2026-06-30, got 2026-06-29" });
    await edgehelm.call(admin, renewUserPlan, { userPlanId, dayTo: "2026-12-31" });
    expect(await lastDay(userPlanId)).toBe("2026-12-31");
  });
});
