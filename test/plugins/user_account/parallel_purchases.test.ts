import { as, stub, type TestCaller, TestClock, type TestKernel, testKernel, type Wire } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import regions from "../../../plugins/node_region/plugin.ts";
import { NodeRegionService } from "../../../plugins/node_region/proto/service_node_region_pb.ts";
import plans from "../../../plugins/plan/plugin.ts";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { ServerDailyStats } from "../../../plugins/server_daily_stat/contract.ts";
import packages from "../../../plugins/traffic_package/plugin.ts";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import periods from "../../../plugins/traffic_package_period/plugin.ts";
import { TrafficPackagePeriodService } from "../../../plugins/traffic_package_period/proto/service_traffic_package_period_pb.ts";
import prices from "../../../plugins/traffic_package_price/plugin.ts";
import { TrafficPackagePriceService } from "../../../plugins/traffic_package_price/proto/service_traffic_package_price_pb.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import bills from "../../../plugins/user_bill/plugin.ts";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import userPlans from "../../../plugins/user_plan/plugin.ts";
import { UserPlanService } from "../../../plugins/user_plan/proto/service_user_plan_pb.ts";
import userPackages from "../../../plugins/user_traffic_package/plugin.ts";
import { UserTrafficPackageService } from "../../../plugins/user_traffic_package/proto/service_user_traffic_package_pb.ts";

const PURCHASES = 100;
const PRICE = 10;
const MONTHS = 4;
const admin = as.admin();
/** The users who sent 10 GB in each of the last months. */
const senders: bigint[] = [];

let edgehelm: TestKernel;
let planId: bigint;
let parts: { trafficPackageId: bigint; nodeRegionId: bigint; trafficPackagePeriodId: bigint };

beforeAll(async () => {
  edgehelm = await testKernel({
    plugins: [userPlans, plans, users, accounts, bills, packages, periods, prices, regions, userPackages],
    stubs: [stub(ServerDailyStats, {
      usersWithTraffic: async (_call, _from, _to, after) => senders.filter((id) => id > after).sort(),
      traffic: async (_call, userIds) =>
        userIds.map((userId) => ({ userId, serverId: userId, regionId: 0n, bytes: 10n * 2n ** 30n })),
    })],
    config: { user_bill: { trafficPricePerGB: 1 } },
    clock: new TestClock(Date.UTC(2026, 5, 10, 12)),
  });
  const plan = { name: "small", priceType: "period", monthlyPrice: PRICE };
  ({ planId } = await edgehelm.call(admin, PlanService.method.createPlan, plan));
  const size = { size: 1, unit: "tb" };
  const { trafficPackageId } = await edgehelm.call(admin, TrafficPackageService.method.createTrafficPackage, size);
  const { createTrafficPackagePeriod } = TrafficPackagePeriodService.method;
  const period = await edgehelm.call(admin, createTrafficPackagePeriod, { count: 1, unit: "month" });
  const region = await edgehelm.call(admin, NodeRegionService.method.createNodeRegion, { name: "Europe" });
  const { trafficPackagePeriodId } = period;
  parts = { trafficPackageId, nodeRegionId: region.nodeRegionId, trafficPackagePeriodId };
  const priced = { ...parts, price: PRICE };
  await edgehelm.call(admin, TrafficPackagePriceService.method.updateTrafficPackagePrice, priced);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Creates a user with a balance for one purchase. */
async function createBuyer(username: string): Promise<TestCaller> {
  const person = { username, password: "walks in the rain", fullname: username };
  const { userId } = await edgehelm.call(admin, UserService.method.createUser, person);
  const charge = { userAccountId: userId, delta: PRICE, eventType: "charge", description: "" };
  await edgehelm.call(admin, UserAccountService.method.updateUserAccount, charge);
  return as.user(userId);
}

/** Makes 100 purchases at once. Returns the reasons of those that failed. */
async function reasonsOf(purchase: (index: number) => Promise<unknown>): Promise<string[]> {
  const results = await Promise.allSettled(Array.from({ length: PURCHASES }, (_, index) => purchase(index)));
  return results.flatMap((result) => result.status === "rejected" ? [result.reason.reason] : []);
}

/** Returns the expenses of an account and its balance. */
async function spent({ id: userAccountId }: TestCaller) {
  const { listUserAccountLogs } = UserAccountLogService.method;
  const { userAccountLogs } = await edgehelm.call(admin, listUserAccountLogs, { userAccountId, size: 1000n });
  return [userAccountLogs.filter(({ delta }) => delta < 0).map(({ delta }) => delta), userAccountLogs[0]!.total];
}

const allButOne = Array(PURCHASES - 1).fill("user_account.insufficient");

test.each<Wire>(["http", "grpc"])("of 100 plans bought at once with money for one, one is, over %s", async (wire) => {
  const user = await createBuyer(`plan${wire}`);
  const request = { planId, period: "monthly", countPeriod: 1 };
  const { buyUserPlan, countAllEnabledUserPlans } = UserPlanService.method;
  expect(await reasonsOf(() => edgehelm.call(user, buyUserPlan, request, wire))).toEqual(allButOne);
  expect(await spent(user)).toEqual([[-PRICE], 0]);
  expect((await edgehelm.call(user, countAllEnabledUserPlans, {})).count).toBe(1n);
});

test.each<Wire>(["http", "grpc"])(
  "of 100 packages bought at once with money for one, one is, over %s",
  async (wire) => {
    const user = await createBuyer(`package${wire}`);
    const { buyUserTrafficPackage, countUserTrafficPackages } = UserTrafficPackageService.method;
    expect(await reasonsOf(() => edgehelm.call(user, buyUserTrafficPackage, parts, wire))).toEqual(allButOne);
    expect(await spent(user)).toEqual([[-PRICE], 0]);
    expect((await edgehelm.call(user, countUserTrafficPackages, {})).count).toBe(1n);
  },
);

test.each<Wire>(["http", "grpc"])(
  "of 4 bills paid 100 times at once with money for one, one is, over %s",
  async (wire) => {
    const user = await createBuyer(`bill${wire}`);
    senders.push(user.id);
    const { generateAllUserBills, listUserBills, payUserBill } = UserBillService.method;
    for (let month = 1; month <= MONTHS; month++) {
      await edgehelm.call(admin, generateAllUserBills, { month: `20260${month}` });
    }
    const { userBills } = await edgehelm.call(user, listUserBills, {});
    expect(userBills.map(({ amount }) => amount)).toEqual(Array(MONTHS).fill(PRICE));
    const pay = (index: number) =>
      edgehelm.call(user, payUserBill, { userBillId: userBills[index % MONTHS]!.id }, wire);
    // a bill that is paid again costs nothing
    expect(new Set(await reasonsOf(pay))).toEqual(new Set(["user_account.insufficient"]));
    expect(await spent(user)).toEqual([[-PRICE], 0]);
    expect((await edgehelm.call(user, listUserBills, { paidFlag: 1 })).userBills).toHaveLength(1);
  },
);
