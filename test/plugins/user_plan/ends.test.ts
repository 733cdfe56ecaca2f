import { definePlugin } from "edgehelm";
import { TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import plans from "../../../plugins/plan/plugin.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserPlanListeners } from "../../../plugins/user_plan/contract.ts";
import plugin from "../../../plugins/user_plan/plugin.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { admin, createTestPlan, month, Sites, userWith } from "./rig.ts";

const { buyUserPlan, renewUserPlan, updateUserPlan } = UserPlanService.method;
const DAY = 86_400;

const events: string[] = [];
const listener = definePlugin({
  manifest: {
    name: "listener",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["user_plan.listeners"],
  },
  setup: ({ contribute }) =>
    contribute(UserPlanListeners, {
      ending: async (_call, { name, dayTo }) => void events.push(`${name} ends on ${dayTo}`),
      ended: async (_call, { name, dayTo }) => void events.push(`${name} ended on ${dayTo}`),
    }),
});

let clock: TestClock;
let sites: Sites;
let edgehelm: TestKernel;
let userId: bigint;
let userPlanId: bigint;

beforeEach(async () => {
  events.length = 0;
  clock = new TestClock(Date.UTC(2026, 0, 10, 12));
  sites = new Sites();
  edgehelm = await testKernel({
    plugins: [plugin, plans, accounts, users, listener],
    stubs: [sites.stub],
    config: { user_plan: { warnDays: 3, graceDays: 2 } },
    clock,
  });
  userId = await userWith(edgehelm, 100);
  const planId = await createTestPlan(edgehelm, { totalServers: 3, totalServerNames: 5 });
  ({ userPlanId } = await edgehelm.call(admin, buyUserPlan, { userId, planId, ...month, name: "shop" }));
  sites.bind(userPlanId, 71n, "site");
});
afterEach(() => edgehelm[Symbol.asyncDispose]());

/** Runs both jobs, twice, on a day of 2026. */
async function jobsOn(monthOfYear: number, day: number): Promise<void> {
  clock.advance((Date.UTC(2026, monthOfYear - 1, day, 12) - clock.now()) / 1000);
  for (let times = 0; times < 2; times++) {
    await edgehelm.kernel.runJob("user_plan.announce_ends");
    await edgehelm.kernel.runJob("user_plan.stop_ended");
  }
}

test("a plan is announced before its end, stopped after its grace, each once for each last day", async () => {
  await jobsOn(2, 6);
  expect(events).toEqual([]);
  await jobsOn(2, 7);
  expect(events).toEqual(["shop ends on 2026-02-10"]);
  await jobsOn(2, 12);
  expect([events.length, sites.changed]).toEqual([1, []]);
  await jobsOn(2, 13);
  expect(events).toEqual(["shop ends on 2026-02-10", "shop ended on 2026-02-10"]);
  expect(sites.changed).toEqual([71n]);
  await edgehelm.call(admin, renewUserPlan, { userPlanId, ...month });
  expect(sites.changed).toEqual([71n, 71n]);
  await jobsOn(3, 10);
  expect(events.slice(2)).toEqual(["shop ends on 2026-03-13"]);
});

test("a plan that ended while nothing ran is stopped without an announcement", async () => {
  await jobsOn(6, 1);
  expect(events).toEqual(["shop ended on 2026-02-10"]);
});

test("only users who may purchase get plans, also from admins", async () => {
  const request = { userId, username: "off", isOn: false };
  await edgehelm.call(admin, UserService.method.updateUser, request);
  const refused = { code: 403, reason: "user.state_forbids" };
  await expect(edgehelm.call(admin, renewUserPlan, { userPlanId, ...month })).rejects.toMatchObject(refused);
  await expect(edgehelm.call(admin, buyUserPlan, { userId, planId: 1n, ...month })).rejects.toMatchObject(refused);
});

describe("a downgrade", () => {
  const change = (planId: bigint) =>
    edgehelm.call(admin, updateUserPlan, { userPlanId, planId, dayTo: "2026-02-10", name: "shop", isOn: true });

  test("is refused with everything that must go first, and done after it went", async () => {
    sites.bind(userPlanId, 72n, "wiki", 4n);
    const limits = { totalServers: 1, totalServerNamesPerServer: 3, totalServerNames: 2 };
    const small = await createTestPlan(edgehelm, { name: "tiny", ...limits });
    await expect(change(small)).rejects.toMatchObject({
      code: 409,
      reason: "user_plan.no_room",
      message: `user plan ${userPlanId} does not fit into the plan "tiny": first unbind or delete 1 of the sites ` +
        '"site", "wiki"; remove 1 names of the site "wiki"; remove 2 names in total',
    });
    const fitting = await createTestPlan(edgehelm, { name: "fits", totalServers: 2, totalServerNames: 4 });
    await change(fitting);
  });
});

test.each([
  [{ warnDays: 366 }, "warnDays: must be 0 to 365, got 366"],
  [{ graceDays: -1 }, "graceDays: must be 0 to 365, got -1"],
])("the configuration refuses %j", async (config, message) => {
  const started = testKernel({
    plugins: [plugin, plans, accounts, users],
    stubs: [new Sites().stub],
    config: { user_plan: config },
    clock: new TestClock(DAY * 1000),
  });
  await expect(started).rejects.toThrow(message);
});

test("the end that is near and the end are events for the user, each once for each last day", async () => {
  await jobsOn(2, 6);
  expect(await emittedBy(edgehelm, "user_plan")).toEqual([]);
  await jobsOn(2, 7);
  await jobsOn(2, 13);
  const data = { userPlanId: String(userPlanId), planId: expect.any(String), name: "shop", lastDay: "2026-02-10" };
  expect(await emittedBy(edgehelm, "user_plan")).toEqual([
    { name: "user_plan.ends_soon", userId, data },
    { name: "user_plan.ended", userId, data },
  ]);
});
