import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, balanceOf, json, makePlan, shopKernel, Sites, userWith } from "./rig.ts";

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

test.each(["http", "connect", "grpcweb"] as const)("a user buys, renews and gives up a plan over %s", async (wire) => {
  const userId = await userWith(edgehelm, 100);
  const ada = as.user(userId);
  const planId = await makePlan(edgehelm, { clusterId: 0n, totalServers: 5 });
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

describe("time", () => {
  test("goes by calendar months, and comes back to the 31st", async () => {
    const userPlanId = await buy(await userWith(edgehelm, 1000), await makePlan(edgehelm));
    const days = [await lastDay(userPlanId)];
    for (let times = 0; times < 3; times++) {
      await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
      days.push(await lastDay(userPlanId));
    }
    expect(days).toEqual(["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]);
  });

  test.each([["seasonally", "2026-04-30", 970], ["yearly", "2027-01-31", 900.5]])(
    "%s ends on %s",
    async (period, dayTo, left) => {
      const userId = await userWith(edgehelm, 1000);
      const userPlanId = await buy(userId, await makePlan(edgehelm, { seasonallyPrice: 30 }), { period });
      expect([await lastDay(userPlanId), await balanceOf(edgehelm, userId)]).toEqual([dayTo, left]);
    },
  );

  test("that has run out begins again today", async () => {
    const userPlanId = await buy(await userWith(edgehelm, 100), await makePlan(edgehelm));
    clock.advance(60 * 86_400); // 1 April
    await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
    expect(await lastDay(userPlanId)).toBe("2026-05-01");
  });
});

describe("money", () => {
  test("that does not suffice buys nothing", async () => {
    const userId = await userWith(edgehelm, 9.99);
    const planId = await makePlan(edgehelm);
    await expect(buy(userId, planId)).rejects.toMatchObject({
      code: 409,
      reason: "user_account.insufficient",
      message: `the account of user ${userId} holds 9.99, which does not suffice for 10.00`,
    });
    const { count } = await edgehelm.call(admin, UserPlanService.method.countAllEnabledUserPlans, { userId });
    expect([count, await balanceOf(edgehelm, userId)]).toEqual([0n, 9.99]);
  });

  test("for a renewal that does not suffice leaves the plan as it is", async () => {
    const userId = await userWith(edgehelm, 15);
    const userPlanId = await buy(userId, await makePlan(edgehelm));
    await expect(edgehelm.call(admin, renewUserPlan, { userPlanId, ...month })).rejects.toMatchObject({ code: 409 });
    expect([await lastDay(userPlanId), await balanceOf(edgehelm, userId)]).toEqual(["2026-02-28", 5]);
  });

  test("and time agree after many renewals at once", async () => {
    const userId = await userWith(edgehelm, 10 + 50);
    const userPlanId = await buy(userId, await makePlan(edgehelm));
    const renewals = Array.from({ length: 12 }, () => edgehelm.call(admin, renewUserPlan, { userPlanId, ...month }));
    const ends = await Promise.allSettled(renewals);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect([await lastDay(userPlanId), await balanceOf(edgehelm, userId)]).toEqual(["2026-07-31", 0]);
  });

  test("is not taken for plans that are paid afterwards, which end when asked to", async () => {
    const userId = await userWith(edgehelm, 0);
    const planId = await makePlan(edgehelm, { priceType: "traffic", trafficPriceJSON: json({ base: 0.1 }) });
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
    const [userId, planId] = [await userWith(edgehelm, 1000), await makePlan(edgehelm)];
    await expect(edgehelm.call(admin, buyUserPlan, { userId, planId, ...month, ...wrong }))
      .rejects.toMatchObject({ message });
  });

  test("a plan that is off", async () => {
    const [userId, planId] = [await userWith(edgehelm, 1000), await makePlan(edgehelm)];
    const userPlanId = await buy(userId, planId);
    const off = { planId, name: "old", priceType: "period", monthlyPrice: 10, isOn: false };
    await edgehelm.call(admin, PlanService.method.updatePlan, off);
    const refused = { code: 409, message: 'the plan "old" is not sold: it is turned off' };
    await expect(buy(userId, planId)).rejects.toMatchObject(refused);
    await expect(edgehelm.call(admin, renewUserPlan, { userPlanId, ...month })).rejects.toMatchObject(refused);
  });
});

test("an operator changes a plan without charging, and its sites are told", async () => {
  const userId = await userWith(edgehelm, 10);
  const [planId, other] = [await makePlan(edgehelm), await makePlan(edgehelm, { name: "large" })];
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
  expect(sites.told).toContain(71n);
  await expect(edgehelm.call(admin, updateUserPlan, { userPlanId, ...changes, dayTo: "2026-02-30" }))
    .rejects.toMatchObject({ code: 400 });
});

test("what is in use is not deleted", async () => {
  const [userId, planId] = [await userWith(edgehelm, 10), await makePlan(edgehelm)];
  const userPlanId = await buy(userId, planId, { name: "mine" });
  sites.bind(userPlanId, 72n, "blog");
  await expect(edgehelm.call(admin, deleteUserPlan, { userPlanId }))
    .rejects.toMatchObject({ code: 409, message: `user plan ${userPlanId} is used by site "blog"` });
  await expect(edgehelm.call(admin, PlanService.method.deletePlan, { planId }))
    .rejects.toMatchObject({ code: 409, message: `plan ${planId} is used by user plan "mine" of user ${userId}` });
});

test("the sites of a plan that expires are told once, and again after the next time", async () => {
  const userPlanId = await buy(await userWith(edgehelm, 100), await makePlan(edgehelm));
  sites.bind(userPlanId, 73n, "wiki");
  const tellings = () => sites.told.filter((id) => id === 73n).length;
  const tell = () => edgehelm.kernel.runJob("user_plan.tell_expired");
  await tell();
  expect(tellings(), "not while it lasts").toBe(0);
  clock.advance(29 * 86_400); // 1 March
  await tell();
  await tell();
  expect(tellings()).toBe(1);
  await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
  expect(tellings(), "a renewal tells them too").toBe(2);
  clock.advance(60 * 86_400);
  await tell();
  expect(tellings()).toBe(3);
});

test("the plans of a user go with the user", async () => {
  const userId = await userWith(edgehelm, 100);
  const planId = await makePlan(edgehelm);
  const userPlanId = await buy(userId, planId);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  expect(await edgehelm.call(admin, findEnabledUserPlan, { userPlanId })).not.toHaveProperty("userPlan");
  await edgehelm.kernel.runJob("user.remove_deleted");
  await edgehelm.call(admin, PlanService.method.deletePlan, { planId });
});
