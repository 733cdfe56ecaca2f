import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

const GB = 2 ** 30;
const DAY = 86_400;

test("Billing: regions and their prices, packages, a plan, real traffic of edge nodes, and the bill", async () => {
  await using day = await openDay({
    at: Date.UTC(2026, 3, 10, 9),
    config: { user_bill: { trafficPricePerGB: 0.2 } },
  });
  const { admin, clock } = day;

  // The admin creates regions, orders them, and sets a price in one of them.
  const region = async (name: string) =>
    (await admin.post("NodeRegionService/createNodeRegion", { name })).nodeRegionId as number;
  const [europe, asia] = [await region("Europe"), await region("Asia")];
  await admin.post("NodeRegionService/updateNodeRegionOrders", { nodeRegionIds: [asia, europe] });
  const { NodePriceItemId: nodeItemId } = await admin.post("NodePriceItemService/createNodePriceItem", {
    ...{ name: "any", type: "traffic", bitsFrom: 0, bitsTo: 0 },
  });
  await admin.post("NodeRegionService/updateNodeRegionPrice", { nodeRegionId: europe, nodeItemId, price: 0.05 });
  const names = async (operation: string) =>
    (await admin.post(`NodeRegionService/${operation}`)).nodeRegions.map(({ name }: { name: string }) => name);
  await admin.post("NodeRegionService/updateNodeRegion", { nodeRegionId: asia, name: "Asia", isOn: false });
  expect(await names("findAllEnabledNodeRegions")).toEqual(["Asia", "Europe"]);
  expect(await names("findAllAvailableNodeRegions")).toEqual(["Europe"]);

  // A traffic package has a price by region and period.
  const { trafficPackageId } = await admin.post("TrafficPackageService/createTrafficPackage", { size: 1, unit: "tb" });
  const period = await admin.post("TrafficPackagePeriodService/createTrafficPackagePeriod", {
    count: 3,
    unit: "month",
  });
  const priced = { trafficPackageId, nodeRegionId: europe, ...period };
  await admin.post("TrafficPackagePriceService/updateTrafficPackagePrice", { ...priced, price: 49.9 });
  expect(await admin.post("TrafficPackagePriceService/findTrafficPackagePrice", { ...priced, count: 3 }))
    .toEqual({ price: 49.9, amount: 149.7 });
  expect((await admin.post("TrafficPackagePriceService/countTrafficPackagePrices", { trafficPackageId })).count).toBe(
    1,
  );
  expect(await admin.error("NodeRegionService/deleteNodeRegion", { nodeRegionId: europe }))
    .toMatchObject({ code: 409, message: expect.stringContaining("1 tb for 3 month") });

  // A customer buys a plan for one site, and has another site without a plan.
  const ada = await day.user("ada");
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  const { planId } = await admin.post("PlanService/createPlan", {
    name: "small",
    priceType: "period",
    monthlyPrice: 10,
  });
  const buy = { planId, period: "monthly", countPeriod: 1, name: "shop" };
  expect(await ada.error("UserPlanService/buyUserPlan", { ...buy, period: "month" }))
    .toMatchObject({ code: 400, message: expect.stringContaining("month") });
  expect(await ada.error("UserPlanService/buyUserPlan", buy)).toMatchObject({ code: 409 });
  const { userAccount } = await admin.post("UserAccountService/findEnabledUserAccountWithUserId", { userId: ada.id });
  await admin.post("UserAccountService/updateUserAccount", {
    ...{ userAccountId: userAccount.id, delta: 30, eventType: "charge" },
  });
  const { userPlanId } = await ada.post("UserPlanService/buyUserPlan", buy);
  const site = { type: "httpProxy", nodeClusterId, userId: ada.id };
  const shop = await admin.post("ServerService/createServer", { ...site, name: "shop", userPlanId });
  const blog = await admin.post("ServerService/createServer", { ...site, name: "blog" });
  expect((await ada.post("UserPlanService/findEnabledUserPlan", { userPlanId })).userPlan)
    .toMatchObject({ dayTo: "2026-05-10", servers: [{ name: "shop" }] });

  // The node reports traffic of her sites.
  const trafficOf = (serverId: number, gb: number) => ({ serverId, bytes: gb * GB, createdAt: clock.now() / 1000 });
  for (let times = 0; times < 2; times++) {
    const stats = [trafficOf(shop.serverId, 100), trafficOf(blog.serverId, 10)];
    await node.post("ServerDailyStatService/uploadServerDailyStats", { stats });
    clock.advance(DAY);
  }

  // In May, she is billed for April, except for the traffic that the plan covers; May is not billed yet.
  expect(await admin.error("UserBillService/generateAllUserBills", { month: "202604" })).toMatchObject({ code: 400 });
  clock.advance(25 * DAY);
  for (let times = 0; times < 2; times++) {
    await admin.post("UserBillService/generateAllUserBills", { month: "202604" });
  }
  const { userBills } = await ada.post("UserBillService/listUserBills", { size: 10 });
  expect(userBills).toMatchObject([{ amount: 4, month: "202604", type: "traffic", canPay: true, isPaid: false }]);
  expect((await admin.post("UserBillService/countAllUserBills", { paidFlag: -1 })).count).toBe(1);
  const sites = async () => (await node.config()).servers.map(({ name }: { name: string }) => name);
  expect(await sites()).toEqual(["shop", "blog"]);
  clock.advance(40 * DAY);
  await node.pollConfig();
  expect((await ada.post("UserService/renewUserServersState")).isEnabled).toBe(false);
  expect([await node.pollConfig(), await sites()]).toEqual([true, []]);
  await ada.post("UserBillService/payUserBill", { userBillId: userBills[0].id });
  expect([await node.pollConfig(), await sites()]).toEqual([true, ["blog"]]);
  expect((await ada.post("UserBillService/findUserBill", { code: userBills[0].code })).userBill)
    .toMatchObject({ isPaid: true });
  const bob = await day.user("bob");
  expect((await bob.post("UserBillService/findUserBill", { userBillId: userBills[0].id })).userBill).toBeUndefined();

  // She renews the plan, and the account shows all transactions.
  await ada.post("UserPlanService/renewUserPlan", { userPlanId, period: "monthly", countPeriod: 1 });
  expect([await node.pollConfig(), await sites()]).toEqual([true, ["shop", "blog"]]);
  const counts = async (filter: object) => (await ada.post("UserPlanService/countAllEnabledUserPlans", filter)).count;
  expect([await counts({ isAvailable: true }), await counts({ expiringDays: 10 })]).toEqual([1, 0]);
  const { userAccount: account } = await ada.post("UserAccountService/findEnabledUserAccountWithUserId", {});
  expect(account.total).toBe(6);
  expect(await admin.error("PlanService/deletePlan", { planId })).toMatchObject({ code: 409 });
  await admin.post("UserPlanService/updateUserPlan", {
    userPlanId,
    planId,
    dayTo: "20260601",
    isOn: true,
    name: "shop",
  });
  expect((await ada.post("UserPlanService/findEnabledUserPlan", { userPlanId })).userPlan.dayTo).toBe("2026-06-01");
  expect(await ada.error("UserPlanService/deleteUserPlan", { userPlanId }))
    .toMatchObject({ code: 409, message: `user plan ${userPlanId} is used by site "shop"` });
  await admin.post("ServerService/updateServerUserPlan", { ...shop, userPlanId: 0 });
  await ada.post("UserPlanService/deleteUserPlan", { userPlanId });
  await admin.post("PlanService/deletePlan", { planId });
});
