import { expect, test } from "vitest";
import { openDay } from "../day_rig.ts";

const DAY = 86_400;
const encoded = (value: unknown) => btoa(JSON.stringify(value));
const named = (...names: string[]) => encoded(names.map((name) => ({ name, type: "full" })));

/** Opens an installation with a node, and a user with money for plans. */
async function openShop() {
  const day = await openDay({ at: Date.UTC(2026, 0, 10, 9) });
  const { admin } = day;
  const ada = await day.user("ada");
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  await admin.post("UserAccountService/updateUserAccount", { userAccountId: ada.id, delta: 90, eventType: "charge" });
  const plan = async (fields: object) =>
    (await admin.post("PlanService/createPlan", { priceType: "period", monthlyPrice: 10, ...fields })).planId;
  const buy = async (planId: number) =>
    (await ada.post("UserPlanService/buyUserPlan", { planId, period: "monthly", countPeriod: 1 })).userPlanId;
  const site = (fields: object) => ({ type: "httpProxy", nodeClusterId, userId: ada.id, ...fields });
  const served = async () => (await node.config()).servers.map(({ name }: { name: string }) => name);
  return { day, admin, ada, node, plan, buy, site, served };
}

test("finding 2: a plan that has ended stops serving its sites, and its renewal brings them back at once", async () => {
  const { day, admin, ada, node, plan, buy, site, served } = await openShop();
  await using _day = day;
  const userPlanId = await buy(await plan({ name: "small" }));
  await admin.post("ServerService/createServer", site({ name: "shop", userPlanId }));
  await admin.post("ServerService/createServer", site({ name: "blog" }));
  expect(await served()).toEqual(["shop", "blog"]);
  day.clock.advance(31 * DAY);
  await node.pollConfig();
  expect(await served(), "the last day is included").toEqual(["shop", "blog"]);
  day.clock.advance(DAY);
  expect(await served()).toEqual(["blog"]);
  await day.job("user_plan.stop_ended");
  expect(await node.pollConfig(), "the node learns of it").toBe(true);
  await ada.post("UserPlanService/renewUserPlan", { userPlanId, period: "monthly", countPeriod: 1 });
  expect(await node.pollConfig()).toBe(true);
  expect(await served()).toEqual(["shop", "blog"]);
  const off = { userPlanId, planId: 1, dayTo: "2026-12-31", name: "small", isOn: false };
  await admin.post("UserPlanService/updateUserPlan", off);
  expect(await served()).toEqual(["blog"]);
});

test("finding 2: a plan for one site takes no second one, and no more names than it allows", async () => {
  const { day, admin, plan, buy, site } = await openShop();
  await using _day = day;
  const create = (fields: object) => admin.post("ServerService/createServer", site(fields));
  const refused = (fields: object) => admin.error("ServerService/createServer", site(fields));
  const single = await buy(await plan({ name: "single", totalServers: 1 }));
  const { serverId } = await create({ name: "shop", userPlanId: single });
  const full = (field: string, text: string) => ({
    code: 400,
    message: expect.stringContaining(`${field}: the plan ${text}`),
  });
  const second = full("userPlanId", `"single" of user plan ${single} allows 1 sites, this would be 2`);
  expect(await refused({ name: "blog", userPlanId: single })).toMatchObject(second);
  const { serverId: blogId } = await create({ name: "blog" });
  const bind = { serverId: blogId, userPlanId: single };
  expect(await admin.error("ServerService/updateServerUserPlan", bind)).toMatchObject(second);
  await admin.post("ServerService/updateServerUserPlan", { serverId, userPlanId: single });

  const names = await buy(await plan({ name: "names", totalServerNamesPerServer: 2, totalServerNames: 3 }));
  const each = full("userPlanId", `"names" of user plan ${names} allows 2 names for each site, this would be 3`);
  const three = named("a.example.com", "b.example.com", "c.example.com");
  expect(await refused({ name: "wiki", userPlanId: names, serverNamesJSON: three })).toMatchObject(each);
  await create({ name: "wiki", userPlanId: names, serverNamesJSON: named("a.example.com", "b.example.com") });
  const { serverId: lastId } = await create({
    name: "last",
    userPlanId: names,
    serverNamesJSON: named("c.example.com"),
  });
  const renamed = { serverId: lastId, serverNamesJSON: named("c.example.com", "d.example.com") };
  expect(await admin.error("ServerService/updateServerNames", renamed))
    .toMatchObject(full("serverNamesJSON", `"names" of user plan ${names} allows 3 names, this would be 4`));
  await admin.post("ServerService/updateServerNames", { serverId: lastId, serverNamesJSON: named("d.example.com") });
});

test("finding 2: nodes learn the limits and features of a plan, and of their changes", async () => {
  const { day, admin, node, plan, buy, site } = await openShop();
  await using _day = day;
  const limits = {
    name: "small",
    trafficLimitJSON: encoded({ isOn: true, dailySize: { count: 1, unit: "gb" } }),
    bandwidthLimitPerNodeJSON: encoded({ count: 100, unit: "mb" }),
    maxUploadSizeJSON: encoded({ count: 32, unit: "mb" }),
    featuresJSON: encoded(["server.waf"]),
    dailyRequests: 1000,
    monthlyRequests: 20_000,
    dailyWebsocketConnections: 10,
    monthlyWebsocketConnections: 200,
  };
  const planId = await plan(limits);
  const userPlanId = await buy(planId);
  await admin.post("ServerService/createServer", site({ name: "shop", userPlanId }));
  const [{ userPlan }] = (await node.config()).servers;
  expect(userPlan).toMatchObject({
    id: userPlanId,
    dayTo: "2026-02-10",
    plan: {
      id: planId,
      name: "small",
      trafficLimit: { isOn: true, dailySize: { count: 1, unit: "gb" } },
      bandwidthLimitPerNode: { count: 100, unit: "mb" },
      maxUploadSize: { count: 32, unit: "mb" },
      dailyRequests: 1000,
      monthlyRequests: 20_000,
      dailyWebsocketConnections: 10,
      monthlyWebsocketConnections: 200,
      hasFullFeatures: false,
      featureCodes: ["server.waf"],
    },
  });
  await node.pollConfig();
  const changed = { planId, isOn: true, priceType: "period", monthlyPrice: 10, ...limits, dailyRequests: 5 };
  await admin.post("PlanService/updatePlan", changed);
  expect(await node.pollConfig()).toBe(true);
  expect((await node.config()).servers[0].userPlan.plan.dailyRequests).toBe(5);
});
