import { definePlugin } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plans from "../../../plugins/plan/plugin.ts";
import users from "../../../plugins/user/plugin.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserPlans } from "../../../plugins/user_plan/contract.ts";
import plugin from "../../../plugins/user_plan/plugin.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { admin, createTestPlan, json, Sites, userWith } from "./rig.ts";

const {
  buyUserPlan,
  countAllEnabledUserPlans,
  deleteUserPlan,
  findAllEnabledUserPlansForServer,
  listEnabledUserPlans,
  updateUserPlan,
} = UserPlanService.method;

let contract: UserPlans;
const consumer = definePlugin({
  manifest: { name: "consumer", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { userPlans: UserPlans },
  setup: ({ deps }) => void (contract = deps.userPlans),
});

const sites = new Sites();
const clock = new TestClock(Date.UTC(2026, 5, 15));
let edgehelm: TestKernel;
let planId: bigint;
let ada: bigint;
let bob: bigint;
/** User plans by their last day: two have expired, one ends today, one in ten days, one in a year. */
const ids: Record<string, bigint> = {};

beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, plans, accounts, users, consumer], stubs: [sites.stub], clock });
  planId = await createTestPlan(edgehelm, {
    priceType: "traffic",
    trafficPriceJSON: json({ base: 1 }),
    totalServers: 1,
  });
  [ada, bob] = [await userWith(edgehelm, 0), await userWith(edgehelm, 0)];
  const owners = { "2027-06-15": ada, "2026-06-14": ada, "2026-06-15": bob, "2026-06-25": ada, "2026-05-31": bob };
  for (const [dayTo, userId] of Object.entries(owners)) {
    const day = { dayTo: "2027-01-01" };
    const { userPlanId } = await edgehelm.call(admin, buyUserPlan, { userId, planId, ...day });
    ids[dayTo] = userPlanId;
    await edgehelm.call(admin, updateUserPlan, { userPlanId, planId, dayTo, name: dayTo, isOn: true });
  }
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const cases: [string, { isAvailable?: boolean; isExpired?: boolean; expiringDays?: number }, string[]][] = [
  ["all, newest first", {}, ["2026-05-31", "2026-06-25", "2026-06-15", "2026-06-14", "2027-06-15"]],
  ["that have not expired", { isAvailable: true }, ["2026-06-15", "2026-06-25", "2027-06-15"]],
  ["that have expired", { isExpired: true }, ["2026-05-31", "2026-06-14"]],
  ["that expire within ten days", { expiringDays: 10 }, ["2026-06-15", "2026-06-25"]],
  ["that expire within nine days", { expiringDays: 9 }, ["2026-06-15"]],
  ["that have and have not expired, which matches none", { isAvailable: true, isExpired: true }, []],
];

describe.each(cases)("plans %s", (_name, filter, days) => {
  test("are listed and counted", async () => {
    const { userPlans } = await edgehelm.call(admin, listEnabledUserPlans, filter);
    expect(userPlans.map(({ dayTo }) => dayTo)).toEqual(days);
    expect((await edgehelm.call(admin, countAllEnabledUserPlans, filter)).count).toBe(BigInt(days.length));
    const page = await edgehelm.call(admin, listEnabledUserPlans, { ...filter, offset: 1n, size: 2n });
    expect(page.userPlans.map(({ dayTo }) => dayTo)).toEqual(days.slice(1, 3));
  });

  test("are a user's own for a user", async () => {
    const own = days.filter((day) => ["2026-06-15", "2026-05-31"].includes(day)).sort();
    const { userPlans } = await edgehelm.call(as.user(bob), listEnabledUserPlans, { ...filter, userId: ada });
    expect(userPlans.map(({ dayTo }) => dayTo).sort()).toEqual(own);
    expect((await edgehelm.call(as.user(bob), countAllEnabledUserPlans, filter)).count).toBe(BigInt(own.length));
    expect((await edgehelm.call(admin, countAllEnabledUserPlans, { ...filter, userId: bob })).count)
      .toBe(BigInt(own.length));
  });
});

test("counts include plans that are bought, changed and deleted", async () => {
  const count = async (filter = {}) => (await edgehelm.call(admin, countAllEnabledUserPlans, filter)).count;
  const before = [await count(), await count({ isExpired: true })];
  const { userPlanId } = await edgehelm.call(admin, buyUserPlan, { userId: ada, planId, dayTo: "2026-07-01" });
  await edgehelm.call(admin, updateUserPlan, { userPlanId, planId, dayTo: "2026-06-01", name: "", isOn: true });
  expect([await count(), await count({ isExpired: true })]).toEqual(before.map((n) => n + 1n));
  await edgehelm.call(admin, deleteUserPlan, { userPlanId });
  expect([await count(), await count({ isExpired: true })]).toEqual(before);
});

test("a negative number of days is refused", async () => {
  await expect(edgehelm.call(admin, countAllEnabledUserPlans, { expiringDays: -1 }))
    .rejects.toMatchObject({ code: 400, message: "expiringDays: must be 0 to 3660, got -1" });
});

test("findAllEnabledUserPlansForServer returns usable plans with capacity", async () => {
  const names = async (serverId: bigint) => {
    const request = { userId: ada, serverId };
    const { userPlans } = await edgehelm.call(admin, findAllEnabledUserPlansForServer, request);
    return userPlans.map(({ name }) => name);
  };
  expect(await names(5n)).toEqual(["2026-06-25", "2027-06-15"]);
  sites.bind(ids["2026-06-25"]!, 5n, "shop");
  expect(await names(5n), "its current plan").toEqual(["2026-06-25", "2027-06-15"]);
  expect(await names(6n), "no capacity").toEqual(["2027-06-15"]);
});

describe("the contract", () => {
  const call = () => edgehelm.kernel.systemCall("test");

  test("refuses plans that a site cannot be bound to", async () => {
    const require = (id: bigint, userId = ada) => contract.requireUsable(call(), "userPlanId", id, userId);
    expect(await require(ids["2026-06-25"]!)).toMatchObject({ planId, dayTo: "2026-06-25", isUsable: true });
    await expect(require(ids["2026-06-14"]!)).rejects.toThrow("userPlanId: user plan 2 expired on 2026-06-14");
    await expect(require(ids["2026-06-15"]!)).rejects.toThrow("userPlanId: user plan 3 does not exist");
    await expect(require(999n)).rejects.toThrow("userPlanId: user plan 999 does not exist");
  });

  test("returns the terms of deleted plans for bills", async () => {
    const { userPlanId } = await edgehelm.call(admin, buyUserPlan, { userId: ada, planId, dayTo: "2026-07-01" });
    await edgehelm.call(admin, deleteUserPlan, { userPlanId });
    expect((await contract.summaries(call(), [userPlanId])).size).toBe(0);
    expect(await contract.terms(call(), [userPlanId, 999n]))
      .toEqual(new Map([[userPlanId, { planId, dayTo: "2026-07-01" }]]));
  });
});
