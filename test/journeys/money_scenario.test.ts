import { as, stub, TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import priceItems from "../../plugins/node_price_item/plugin.ts";
import regions from "../../plugins/node_region/plugin.ts";
import plans from "../../plugins/plan/plugin.ts";
import { PlanService } from "../../plugins/plan/proto/service_plan_pb.ts";
import { ServerDailyStats } from "../../plugins/server_daily_stat/contract.ts";
import { Servers } from "../../plugins/server/contract.ts";
import users from "../../plugins/user/plugin.ts";
import { UserService } from "../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../plugins/user_account/plugin.ts";
import { UserAccountLogService } from "../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../plugins/user_account/proto/service_user_account_pb.ts";
import bills from "../../plugins/user_bill/plugin.ts";
import { UserBillService } from "../../plugins/user_bill/proto/service_user_bill_pb.ts";
import userPlans from "../../plugins/user_plan/plugin.ts";
import { UserPlanService } from "../../plugins/user_plan/proto/service_user_plan_pb.ts";

const GB = 2n ** 30n;
const DAY = 86_400;
const admin = as.admin();

test.each(["http", "connect", "grpcweb"] as const)("a customer's year over %s", async (wire) => {
  const clock = new TestClock(Date.UTC(2026, 0, 31, 9));
  // Her shop uses the plan that she buys, her blog uses none.
  let shopPlanId = 0n;
  const site = (id: bigint, name: string, userPlanId: bigint) => ({
    id,
    name,
    userId: 1n,
    nodeClusterId: 1n,
    userPlanId,
    countServerNames: 0n,
  });
  const sites = () => [site(1n, "shop", shopPlanId), site(2n, "blog", 0n)];
  let userId = 0n;
  const trafficOf = (serverId: bigint, gb: bigint) => ({ userId, serverId, regionId: 0n, bytes: gb * GB });
  await using edgehelm = await testKernel({
    plugins: [users, accounts, plans, userPlans, bills, regions, priceItems],
    stubs: [
      stub(Servers, {
        summaries: async (_call, ids) =>
          new Map(sites().filter(({ id }) => ids.includes(id)).map((server) => [server.id, server])),
        ofUserPlan: async (_call, id) => sites().filter(({ userPlanId }) => userPlanId === id),
        configChanged: async () => {},
      }),
      stub(ServerDailyStats, {
        usersWithTraffic: async (_call, _from, _to, after) => [userId].filter((id) => id > after),
        traffic: async () => [trafficOf(1n, 500n), trafficOf(2n, 30n)],
      }),
    ],
    config: { user_bill: { trafficPricePerGB: 0.15, overdueDays: 14 } },
    clock,
  });

  // January: the admin creates the user and a plan.
  const person = { username: "ada", password: "walks in the rain", fullname: "Ada" };
  userId = (await edgehelm.call(admin, UserService.method.createUser, person, wire)).userId;
  const ada = as.user(userId);
  const offer = { name: "small", priceType: "period", monthlyPrice: 10, seasonallyPrice: 27.5 };
  const { planId } = await edgehelm.call(admin, PlanService.method.createPlan, offer, wire);

  // She finds the plan, cannot pay, gets a balance, and buys a month.
  const { findAllAvailablePlans } = PlanService.method;
  expect((await edgehelm.call(ada, findAllAvailablePlans, {}, wire)).plans).toMatchObject([{
    id: planId,
    monthlyPrice: 10,
  }]);
  const { buyUserPlan, countAllEnabledUserPlans, findEnabledUserPlan, renewUserPlan } = UserPlanService.method;
  const month = { period: "monthly", countPeriod: 1 };
  await expect(edgehelm.call(ada, buyUserPlan, { planId, ...month }, wire))
    .rejects.toMatchObject({ reason: "user_account.insufficient" });
  const transfer = { userAccountId: userId, delta: 45, eventType: "charge", description: "bank transfer" };
  await edgehelm.call(admin, UserAccountService.method.updateUserAccount, transfer, wire);
  const { userPlanId } = await edgehelm.call(ada, buyUserPlan, { planId, name: "shop", ...month }, wire);
  shopPlanId = userPlanId;
  const dayTo = async () => (await edgehelm.call(ada, findEnabledUserPlan, { userPlanId }, wire)).userPlan?.dayTo;
  expect(await dayTo()).toBe("2026-02-28");

  // February: she renews for a quarter, until the 31st; the plan cannot be deleted while she uses it.
  clock.advance(20 * DAY);
  await edgehelm.call(ada, renewUserPlan, { userPlanId, period: "seasonally", countPeriod: 1 }, wire);
  expect(await dayTo()).toBe("2026-05-31");
  await expect(edgehelm.call(admin, PlanService.method.deletePlan, { planId }, wire))
    .rejects.toMatchObject({ code: 409, message: `plan ${planId} is used by user plan "shop" of user ${userId}` });

  // June: the plan has expired.
  clock.advance(105 * DAY);
  const count = async (filter: object) => (await edgehelm.call(ada, countAllEnabledUserPlans, filter, wire)).count;
  expect([await count({ isAvailable: true }), await count({ isExpired: true })]).toEqual([0n, 1n]);

  // May is billed, twice by mistake: the plan covers the shop, the blog sent 30 GB at 0.15.
  const { findUserBill, generateAllUserBills, listUserBills, payUserBill, sumUserUnpaidBills } = UserBillService.method;
  for (let times = 0; times < 2; times++) await edgehelm.call(admin, generateAllUserBills, { month: "202605" }, wire);
  const { userBills } = await edgehelm.call(ada, listUserBills, {}, wire);
  expect(userBills).toMatchObject([{ amount: 4.5, month: "202605", description: "530.00 GB of 2 sites" }]);
  const userBillId = userBills[0]!.id;

  // The bill is overdue, and her sites are not served until she pays.
  const { renewUserServersState } = UserService.method;
  clock.advance(15 * DAY);
  expect((await edgehelm.call(ada, renewUserServersState, {}, wire)).isEnabled).toBe(false);
  expect((await edgehelm.call(ada, sumUserUnpaidBills, {}, wire)).amount).toBe(4.5);
  await Promise.all(Array.from({ length: 3 }, () => edgehelm.call(ada, payUserBill, { userBillId }, wire)));
  expect((await edgehelm.call(ada, findUserBill, { userBillId }, wire)).userBill).toMatchObject({ isPaid: true });
  expect((await edgehelm.call(ada, renewUserServersState, {}, wire)).isEnabled).toBe(true);

  // The account shows all transactions.
  const { userAccountLogs } = await edgehelm.call(ada, UserAccountLogService.method.listUserAccountLogs, {}, wire);
  expect(userAccountLogs.reverse().map(({ eventType, delta, total }) => [eventType, delta, total])).toEqual([
    ["charge", 45, 45],
    ["buyPlan", -10, 35],
    ["buyPlan", -27.5, 7.5],
    ["payBill", -4.5, 3],
  ]);

  // She is deleted with all of her objects, except the paid bill.
  await edgehelm.call(admin, UserService.method.deleteUser, { userId }, wire);
  await edgehelm.kernel.runJob("user.remove_deleted");
  await edgehelm.call(admin, PlanService.method.deletePlan, { planId }, wire);
  expect((await edgehelm.call(admin, UserAccountService.method.countUserAccounts, {}, wire)).count).toBe(0n);
  expect((await edgehelm.call(admin, listUserBills, { paidFlag: -1 }, wire)).userBills)
    .toMatchObject([{ id: userBillId, user: { id: userId, isDeleted: true } }]);
});
