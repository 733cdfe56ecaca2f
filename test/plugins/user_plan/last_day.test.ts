import { describe, expect, test } from "vitest";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, balanceOf, buy, clock, createTestPlan, edgehelm, lastDay, month, useKernel, userWith } from "./rig.ts";

const { renewUserPlan } = UserPlanService.method;

useKernel();

describe("the last day", () => {
  test("advances by calendar months and returns to the 31st", async () => {
    const userPlanId = await buy(await userWith(edgehelm, 1000), await createTestPlan(edgehelm));
    const days = [await lastDay(userPlanId)];
    for (let times = 0; times < 3; times++) {
      await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
      days.push(await lastDay(userPlanId));
    }
    expect(days).toEqual(["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]);
  });

  test.each([["seasonally", "2026-04-30", 970], ["yearly", "2027-01-31", 900.5]])(
    "%s ends on %s",
    async (period, dayTo, balance) => {
      const userId = await userWith(edgehelm, 1000);
      const userPlanId = await buy(userId, await createTestPlan(edgehelm, { seasonallyPrice: 30 }), { period });
      expect([await lastDay(userPlanId), await balanceOf(edgehelm, userId)]).toEqual([dayTo, balance]);
    },
  );

  test("of an expired plan is counted from today", async () => {
    const userPlanId = await buy(await userWith(edgehelm, 100), await createTestPlan(edgehelm));
    clock.advance(60 * 86_400); // 1 April
    await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
    expect(await lastDay(userPlanId)).toBe("2026-05-01");
  });
});
