import { describe, expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, buy, createTestPlan, edgehelm, month, useKernel, userWith } from "./rig.ts";

const { buyUserPlan, renewUserPlan } = UserPlanService.method;

useKernel();

describe("buyUserPlan refuses", () => {
  test.each([
    [{ period: "month" }, 'period: must be one of monthly, seasonally, yearly, got "month"'],
    [{ countPeriod: -1 }, "countPeriod: must be 0 to 1200, got -1"],
    [{ period: "seasonally" }, 'the plan "small" is not sold seasonally: it has no price'],
    [{ planId: 999n }, "planId: plan 999 does not exist"],
    [{ userId: 999n }, "userId: user 999 does not exist"],
    [{ userId: 0n }, "userId: must be a positive id, got 0"],
  ])("%o", async (wrong, message) => {
    const [userId, planId] = [await userWith(edgehelm, 1000), await createTestPlan(edgehelm)];
    await expect(edgehelm.call(admin, buyUserPlan, { userId, planId, ...month, ...wrong }))
      .rejects.toMatchObject({ message });
  });

  test("a plan that is turned off", async () => {
    const [userId, planId] = [await userWith(edgehelm, 1000), await createTestPlan(edgehelm)];
    const userPlanId = await buy(userId, planId);
    const off = { planId, name: "old", priceType: "period", monthlyPrice: 10, isOn: false };
    await edgehelm.call(admin, PlanService.method.updatePlan, off);
    const conflict = { code: 409, message: 'the plan "old" is not sold: it is turned off' };
    await expect(buy(userId, planId)).rejects.toMatchObject(conflict);
    await expect(edgehelm.call(admin, renewUserPlan, { userPlanId, ...month })).rejects.toMatchObject(conflict);
  });
});
