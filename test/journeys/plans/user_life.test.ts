import { definePlugin } from "edgehelm";
import { expect, test } from "vitest";
import { UserPlanListeners } from "../../../plugins/user_plan/contract.ts";
import { type Client, openDay } from "../day_rig.ts";
import { expectOutOfReach, type Things } from "./out_of_reach.ts";
import { openPayments, sellTraffic } from "./payments_rig.ts";

const GB = 2 ** 30;
const DAY = 86_400;
const PASSWORD = "ada walks in the rain";
const SUSPENDED = { code: 403, reason: "user.state_forbids" };

test("User life: from registration to deletion over four months, while another user tries to reach it", async () => {
  const records = { txt: [] as string[], ns: ["ns1.edge.test."] };
  const told: string[] = [];
  const listener = definePlugin({
    manifest: {
      name: "letters",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["user_plan.listeners"],
    },
    setup({ contribute }) {
      contribute(UserPlanListeners, {
        ending: async (_call, plan) => void told.push(`${plan.userId} ending ${plan.dayTo}`),
        ended: async (_call, plan) => void told.push(`${plan.userId} ended ${plan.dayTo}`),
      });
    },
  });
  await using day = await openDay({
    at: Date.UTC(2026, 0, 5, 9),
    plugins: [listener],
    hosts: { ns_domain: { txt: async () => records.txt, ns: async () => records.ns, ds: async () => [] } },
    config: {
      user: { requireVerification: true },
      user_bill: { trafficPricePerGB: 0.5, overdueDays: 10 },
      user_plan: { warnDays: 5, graceDays: 1 },
    },
  });
  const { admin, clock } = day;
  const minute = async () => {
    for (const name of ["user.derive_states", "user_plan.announce_ends", "user_plan.stop_ended"]) await day.job(name);
  };
  const userOf = async (userId: number) => {
    const { uniqueId, secret } = await admin.post("UserAccessKeyService/createUserAccessKey", { userId });
    return await day.login("user", uniqueId, secret);
  };
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const { nodeRegionId } = await admin.post("NodeRegionService/createNodeRegion", { name: "Europe" });
  const node = await day.edgeNode("fra-1", nodeClusterId, { nodeRegionId });
  const { nsClusterId } = await admin.post("NSClusterService/createNSCluster", {
    ...{ name: "eu", hosts: ["ns1.edge.test"], email: "dns@edge.test" },
  });
  const { nsNodeId } = await admin.post("NSNodeService/createNSNode", { name: "ns", nodeClusterId: nsClusterId });
  const { nsNode } = await admin.post("NSNodeService/findNSNode", { nsNodeId });
  const dns = await day.login("dns", nsNode.uniqueId, nsNode.secret);
  const served = async () => {
    const { servers } = await node.config();
    const { nsDomains } = await dns.post("NSDomainService/listNSDomainsAfterVersion", { version: 0, size: 100 });
    const names = (nsDomains ?? []).flatMap((domain: { name: string; isOn: boolean; isDeleted: boolean }) =>
      domain.isOn && !domain.isDeleted ? [domain.name] : []
    );
    return [...servers.map(({ name }: { name: string }) => name), ...names];
  };
  const tell = await openPayments(day);
  const bob = await day.user("bob");
  const order = async (client: Client, fields: object): Promise<string> => {
    const request = { type: "charge", orderMethodCode: "card", ...fields };
    return (await client.post("UserOrderService/createUserOrder", request)).code;
  };

  // January: she registers, and may look around but create and buy nothing before an admin has verified her.
  const person = { username: "ada", password: PASSWORD, email: "ada@example.com" };
  const { userId } = await admin.post("UserService/registerUser", person);
  const ada = await userOf(userId);
  const { planId } = await admin.post("PlanService/createPlan", {
    ...{ name: "small", priceType: "period", monthlyPrice: 10, totalServers: 1, totalServerNames: 2 },
  });
  const month = { period: "monthly", countPeriod: 1 };
  expect((await ada.post("PlanService/findAllAvailablePlans")).plans).toHaveLength(1);
  expect(await ada.error("UserPlanService/buyUserPlan", { planId, ...month })).toMatchObject(SUSPENDED);
  expect(await ada.error("NSDomainService/createNSDomain", { name: "ada.example" })).toMatchObject(SUSPENDED);
  await admin.post("UserService/verifyUser", { userId });

  // Bob has things of his own before she has any: a plan, a site, a domain and an order.
  const owned = {
    period: "monthly",
    countPeriod: 12,
    planId: (await admin.post("PlanService/createPlan", {
      ...{ name: "free", priceType: "period" },
    })).planId,
  };
  const prove = async (client: Client, name: string): Promise<number> => {
    const { nsDomainId } = await client.post("NSDomainService/createNSDomain", { name });
    records.txt = [(await client.post("NSDomainService/findNSDomainVerifyingInfo", { nsDomainId })).txt];
    await client.post("NSDomainService/verifyNSDomain", { nsDomainId });
    return nsDomainId;
  };
  const thingsOfBob: Things = {
    ...await bob.post("UserPlanService/buyUserPlan", owned),
    ...await bob.post("ServerService/createServer", { type: "httpProxy", name: "bobs", nodeClusterId }),
    nsDomainId: await prove(bob, "bob.example"),
    code: await order(bob, { amount: 5 }),
  };
  await admin.post("ServerService/updateServerIsOn", { serverId: thingsOfBob.serverId, isOn: false });
  await bob.post("NSDomainService/updateNSDomain", { nsDomainId: thingsOfBob.nsDomainId, nsClusterId, isOn: false });

  // She pays 25 with her card, buys a plan for her shop, and adds a blog without a plan and a domain.
  const pay = async (amount: number) => {
    const code = await order(ada, { amount });
    expect(await tell(`paid ${code}`, "succeeded", code, amount)).toBe("booked");
    return code;
  };
  const code = await pay(25);
  const { userPlanId } = await ada.post("UserPlanService/buyUserPlan", { planId, ...month });
  const site = { type: "httpProxy", nodeClusterId, userId };
  const { serverId } = await admin.post("ServerService/createServer", { ...site, name: "shop", userPlanId });
  const blog = await admin.post("ServerService/createServer", { ...site, name: "blog" });
  const nsDomainId = await prove(ada, "ada.example");
  expect(await served()).toEqual(["shop", "blog", "ada.example"]);
  // She orders 4 GB of traffic, which she pays with her card too.
  const purchase = await order(ada, { type: "buyTrafficPackage", paramsJSON: await sellTraffic(admin, nodeRegionId) });
  expect(await tell("package", "succeeded", purchase, 3)).toBe("booked");
  const { userTrafficPackages: [bought] } = await ada.post("UserTrafficPackageService/listUserTrafficPackages");
  expect(bought).toMatchObject({ totalBytes: 4 * GB, usedBytes: 0 });
  let things: Things = { userPlanId, serverId, nsDomainId, code, userTrafficPackageId: bought.id };
  const expectApart = async (refused = 404) => {
    await expectOutOfReach(bob, things);
    await expectOutOfReach(ada, thingsOfBob, refused);
  };
  await expectApart();

  // Her blog has traffic; her plan ends on 5 February, which she is warned of and lets happen, and renews.
  const stat = { serverId: blog.serverId, bytes: 24 * GB, createdAt: clock.now() / 1000, nodeRegionId };
  await node.post("ServerDailyStatService/uploadServerDailyStats", { stats: [stat] });
  clock.advance(27 * DAY); // 1 February
  await minute();
  await minute();
  expect(told.filter((text) => text.startsWith(`${userId} `))).toEqual([`${userId} ending 2026-02-05`]);
  expect(await served()).toEqual(["shop", "blog", "ada.example"]);
  clock.advance(6 * DAY); // 7 February
  await minute();
  expect(told.filter((text) => text.startsWith(`${userId} `)).at(-1)).toBe(`${userId} ended 2026-02-05`);
  expect(await served()).toEqual(["blog", "ada.example"]);
  await ada.post("UserPlanService/renewUserPlan", { userPlanId, ...month });
  expect(await served()).toEqual(["shop", "blog", "ada.example"]);

  // January is billed; ten days later she owes, and everything of hers stops by itself.
  await admin.post("UserBillService/generateAllUserBills", { month: "202601" });
  const [bill] = (await ada.post("UserBillService/listUserBills", { size: 10 })).userBills;
  expect(bill).toMatchObject({ month: "202601", amount: 10, isPaid: false });
  things = { ...things, userBillId: bill.id };
  expect((await ada.post("UserTrafficPackageService/listUserTrafficPackages")).userTrafficPackages)
    .toMatchObject([{ usedBytes: 4 * GB }]);
  clock.advance(11 * DAY);
  await node.pollConfig();
  await minute();
  expect(await node.pollConfig(), "the node learns of it").toBe(true);
  expect(await served()).toEqual([]);
  expect((await ada.post("UserService/checkUserServersState")).isEnabled ?? false).toBe(false);
  expect(await ada.error("UserPlanService/renewUserPlan", { userPlanId, ...month })).toMatchObject(SUSPENDED);
  expect(await ada.error("NSDomainService/createNSDomain", { name: "more.example" })).toMatchObject({
    ...SUSPENDED,
    message: expect.stringContaining("suspended"),
  });
  expect(await admin.error("UserPlanService/buyUserPlan", { userId, planId, ...month })).toMatchObject(SUSPENDED);
  await expectApart(403);

  // She may still look and pay, and everything returns at once.
  expect(await ada.error("UserBillService/payUserBill", { userBillId: bill.id })).toMatchObject({ code: 409 });
  const returning = await pay(50);
  await ada.post("UserBillService/payUserBill", { userBillId: bill.id });
  expect(await node.pollConfig()).toBe(true);
  expect(await served()).toEqual(["shop", "blog", "ada.example"]);
  await ada.post("UserPlanService/renewUserPlan", { userPlanId, ...month });
  await expectApart();

  // She paid more than she meant to, and an admin pays 20 of it back, which is booked once.
  const back = { orderCode: returning, amount: 20, reason: "paid twice" };
  const { code: refundCode } = await admin.post("UserOrderRefundService/createUserOrderRefund", back);
  expect(await tell("back", "refunded", returning, 20)).toBe("noted");
  expect((await ada.post("UserOrderRefundService/listUserOrderRefunds")).userOrderRefunds)
    .toMatchObject([{ code: refundCode, status: "finished" }]);
  expect((await bob.post("UserOrderRefundService/listUserOrderRefunds")).userOrderRefunds).toEqual([]);
  const { userAccount } = await ada.post("UserAccountService/findEnabledUserAccountWithUserId");
  expect(userAccount).toMatchObject({ total: 15, debt: 0 });

  // March: a larger plan takes both sites, and she cannot return to the small one before one of them has left it.
  clock.advance(20 * DAY);
  const large = await admin.post("PlanService/createPlan", { name: "large", priceType: "period", monthlyPrice: 20 });
  const moved = { userPlanId, dayTo: "2026-06-30", name: "mine", isOn: true };
  await admin.post("UserPlanService/updateUserPlan", { ...moved, planId: large.planId });
  await admin.post("ServerService/updateServerUserPlan", { serverId: blog.serverId, userPlanId });
  expect(await admin.error("UserPlanService/updateUserPlan", { ...moved, planId })).toMatchObject({
    code: 409,
    message: expect.stringContaining('first unbind or delete 1 of the sites "shop", "blog"'),
  });
  await ada.post("ServerService/deleteServer", { serverId: blog.serverId });
  await expectApart();
  await admin.post("UserPlanService/updateUserPlan", { ...moved, planId });
  expect(await served()).toEqual(["shop", "ada.example"]);

  // April: she is rejected, and neither she nor her things are anywhere; an admin who errs brings all back.
  clock.advance(30 * DAY);
  await ada.post("UserService/findEnabledUser");
  await admin.post("UserService/verifyUser", { userId, isRejected: true, rejectReason: "fraud" });
  expect(await served()).toEqual([]);
  expect(await ada.error("UserService/findEnabledUser")).toMatchObject({ code: 401 });
  await expect(userOf(userId)).rejects.toThrow();
  await expectOutOfReach(bob, things);
  expect(await ada.error("ServerService/deleteServer", { serverId: thingsOfBob.serverId })).toMatchObject({
    code: 401,
  });
  await admin.post("UserService/verifyUser", { userId });
  expect(await served()).toEqual(["shop", "ada.example"]);
  expect((await (await userOf(userId)).post("UserService/findEnabledUser")).user).toMatchObject({ isVerified: true });

  // May: she is deleted with all she had, except the bill that she paid.
  clock.advance(25 * DAY);
  await admin.post("UserService/deleteUser", { userId });
  expect(await served()).toEqual([]);
  await day.job("user.remove_deleted");
  expect(await admin.post("UserPlanService/findEnabledUserPlan", { userPlanId })).toEqual({});
  expect((await admin.post("UserBillService/findUserBill", { userBillId: bill.id })).userBill)
    .toMatchObject({ isPaid: true, user: { isDeleted: true } });
  expect(await bob.error("ServerService/deleteServer", { serverId })).toMatchObject({ code: 404 });
  expect((await bob.post("UserOrderService/listEnabledUserOrders")).userOrders).toMatchObject([{
    code: thingsOfBob.code,
  }]);
  await bob.post("ServerService/deleteServer", { serverId: thingsOfBob.serverId });
});

test("finding 1: money stops a user without any call, and payment brings everything back without another", async () => {
  await using day = await openDay({
    at: Date.UTC(2026, 3, 10, 9),
    config: { user_bill: { trafficPricePerGB: 1, overdueDays: 10 } },
  });
  const { admin, clock } = day;
  const ada = await day.user("ada");
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  await admin.post("NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  const site = { type: "httpProxy", nodeClusterId, userId: ada.id };
  const { serverId } = await admin.post("ServerService/createServer", { ...site, name: "one" });
  await admin.post("ServerService/createServer", { ...site, name: "two" });
  const { planId } = await admin.post("PlanService/createPlan", { name: "free", priceType: "period" });
  const stat = { serverId, bytes: 5 * GB, createdAt: clock.now() / 1000 };
  await node.post("ServerDailyStatService/uploadServerDailyStats", { stats: [stat] });
  clock.advance(25 * DAY); // 5 May
  await admin.post("UserBillService/generateAllUserBills", { month: "202604" });
  const sites = async () => (await node.config()).servers.length;

  clock.advance(10 * DAY);
  await day.job("user.derive_states");
  expect(await sites(), "within the days of grace").toBe(2);
  await node.pollConfig();
  clock.advance(DAY);
  await day.job("user.derive_states");
  expect([await node.pollConfig(), await sites()]).toEqual([true, 0]);
  const refused = { code: 403, reason: "user.state_forbids" };
  const buy = { planId, period: "monthly", countPeriod: 1 };
  expect(await ada.error("UserPlanService/buyUserPlan", buy)).toMatchObject(refused);
  expect(await ada.error("NSDomainService/createNSDomain", { name: "new.example" })).toMatchObject(refused);
  expect(await ada.error("NSRecordService/createNSRecord", { nsDomainId: 1 })).toMatchObject(refused);
  const [bill] = (await ada.post("UserBillService/listUserBills", { size: 10 })).userBills;

  await admin.post("UserAccountService/updateUserAccount", { userAccountId: ada.id, delta: 5, eventType: "charge" });
  await ada.post("UserBillService/payUserBill", { userBillId: bill.id });
  expect([await node.pollConfig(), await sites()]).toEqual([true, 2]);
  await ada.post("UserPlanService/buyUserPlan", buy);
  await ada.post("NSDomainService/createNSDomain", { name: "new.example" });
});
