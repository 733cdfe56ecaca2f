import { expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, balanceOf, buy, clock, createTestPlan, edgehelm, month, sites, useKernel, userWith } from "./rig.ts";

const { findEnabledUserPlan, renewUserPlan, updateUserPlan } = UserPlanService.method;

useKernel();

test("updateUserPlan changes a plan without charging and marks its sites for update", async () => {
  const userId = await userWith(edgehelm, 10);
  const [planId, other] = [await createTestPlan(edgehelm), await createTestPlan(edgehelm, { name: "large" })];
  const userPlanId = await buy(userId, planId);
  sites.bind(userPlanId, 71n, "shop");
  const changes = { planId: other, dayTo: "2026-12-30", name: "gift", isOn: false };
  await edgehelm.call(admin, updateUserPlan, { userPlanId, ...changes });
  expect((await edgehelm.call(admin, findEnabledUserPlan, { userPlanId })).userPlan).toMatchObject({
    ...changes,
    plan: { name: "large" },
    servers: [{ id: 71n, name: "shop", userPlanId }],
    server: { id: 71n },
  });
  expect(await balanceOf(edgehelm, userId)).toBe(0);
  expect(sites.changed).toContain(71n);
  await expect(edgehelm.call(admin, updateUserPlan, { userPlanId, ...changes, dayTo: "2026-02-30" }))
    .rejects.toMatchObject({ code: 400 });
});

test("the sites of a plan are marked for update once each time it expires", async () => {
  const userPlanId = await buy(await userWith(edgehelm, 100), await createTestPlan(edgehelm));
  sites.bind(userPlanId, 73n, "wiki");
  const updates = () => sites.changed.filter((id) => id === 73n).length;
  const runJob = () => edgehelm.kernel.runJob("user_plan.stop_ended");
  await runJob();
  expect(updates(), "not before it expires").toBe(0);
  clock.advance(29 * 86_400); // 1 March
  await runJob();
  await runJob();
  expect(updates()).toBe(1);
  await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
  expect(updates(), "also on renewal").toBe(2);
  clock.advance(60 * 86_400);
  await runJob();
  expect(updates()).toBe(3);
});

test("a change of a plan with many buyers marks their sites in batches", async () => {
  const planId = await createTestPlan(edgehelm, { monthlyPrice: 0, yearlyPrice: 0 });
  const userId = await userWith(edgehelm, 0);
  const bound = Array.from({ length: 205 }, (_, index) => 1000n + BigInt(index));
  for (const id of bound) sites.bind(await buy(userId, planId), id, `site ${id}`);
  const marked = () => sites.changed.filter((id) => id >= 1000n);
  await edgehelm.call(admin, PlanService.method.updatePlan, { planId, name: "small", priceType: "period", isOn: true });
  expect(marked()).toEqual(bound.slice(0, 100));
  await edgehelm.kernel.runJob("user_plan.mark_changed");
  expect(marked()).toEqual(bound);
  await edgehelm.kernel.runJob("user_plan.mark_changed");
  expect(marked(), "once").toEqual(bound);
});
