import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, balanceOf, createTestPlan, json, shopKernel, Sites, userWith } from "./rig.ts";

const { buyUserPlan, deleteUserPlan, findEnabledUserPlan, renewUserPlan, updateUserPlan } = UserPlanService.method;

const JANUARY_31 = Date.UTC(2026, 0, 31, 12);
const month = { period: "monthly", countPeriod: 1 };

let clock: TestClock;
let sites: Sites;
let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await shopKernel(clock = new TestClock(JANUARY_31), sites = new Sites());
});
beforeEach(() => clock.advance((JANUARY_31 - clock.now()) / 1000));
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function buy(userId: bigint, planId: bigint, request = {}): Promise<bigint> {
  return (await edgehelm.call(admin, buyUserPlan, { userId, planId, ...month, ...request })).userPlanId;
}

async function lastDay(userPlanId: bigint): Promise<string | undefined> {
  return (await edgehelm.call(admin, findEnabledUserPlan, { userPlanId })).userPlan?.dayTo;
}

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

describe("buyUserPlan refuses", () => {
  test.each([
    [{ period: "month" }, 'period: must be one of monthly, seasonally, yearly, got "month"'],
    [{ countPeriod: 0 }, "countPeriod: must be 1 to 120, got 0"],
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

test("plans that are in use cannot be deleted", async () => {
  const [userId, planId] = [await userWith(edgehelm, 10), await createTestPlan(edgehelm)];
  const userPlanId = await buy(userId, planId, { name: "mine" });
  sites.bind(userPlanId, 72n, "blog");
  await expect(edgehelm.call(admin, deleteUserPlan, { userPlanId }))
    .rejects.toMatchObject({ code: 409, message: `user plan ${userPlanId} is used by site "blog"` });
  await expect(edgehelm.call(admin, PlanService.method.deletePlan, { planId }))
    .rejects.toMatchObject({ code: 409, message: `plan ${planId} is used by user plan "mine" of user ${userId}` });
});

test("the sites of a plan are marked for update once each time it expires", async () => {
  const userPlanId = await buy(await userWith(edgehelm, 100), await createTestPlan(edgehelm));
  sites.bind(userPlanId, 73n, "wiki");
  const updates = () => sites.changed.filter((id) => id === 73n).length;
  const runJob = () => edgehelm.kernel.runJob("user_plan.notify_expired");
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

test("the plans of a user are deleted with the user", async () => {
  const userId = await userWith(edgehelm, 100);
  const planId = await createTestPlan(edgehelm);
  const userPlanId = await buy(userId, planId);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  expect(await edgehelm.call(admin, findEnabledUserPlan, { userPlanId })).not.toHaveProperty("userPlan");
  await edgehelm.kernel.runJob("user.remove_deleted");
  await edgehelm.call(admin, PlanService.method.deletePlan, { planId });
});
