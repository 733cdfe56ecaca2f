import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root } from "../../rules/generated.ts";
import { type Client, openDay } from "../day_rig.ts";

const ENFORCED = ["accessLog", "viewAccessLog", "waf", "tcp.port", "udp.port"].map((name) => `server.${name}`);
const encoded = (value: unknown) => btoa(JSON.stringify(value));
const listen = (protocol: string, portRange: string) => encoded({ isOn: true, listen: [{ protocol, portRange }] });

/** Opens an installation with a node, and a user who buys plans with some features. */
async function openShop() {
  const day = await openDay({ at: Date.UTC(2026, 0, 10, 9), config: { user_plan: { graceDays: 3 } } });
  const { admin } = day;
  const ada = await day.user("ada");
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  const plan = async (fields: object) =>
    (await admin.post("PlanService/createPlan", { name: "plan", priceType: "period", ...fields })).planId as number;
  const buy = async (planId: number) =>
    (await ada.post("UserPlanService/buyUserPlan", { planId, period: "monthly", name: "mine" })).userPlanId as number;
  const buyWith = async (...codes: string[]) => await buy(await plan({ featuresJSON: encoded(codes) }));
  const site = async (fields: object) =>
    (await ada.post("ServerService/createServer", { type: "httpProxy", nodeClusterId, ...fields })).serverId as number;
  return { day, admin, ada, node, nodeClusterId, plan, buy, buyWith, site };
}
const without = (feature: string) => ({
  code: 400,
  message: expect.stringContaining(`does not include the feature "${feature}"`),
});

test("the table of features has every feature, and says of those that are not for plans that they are not", async () => {
  await using day = await openDay();
  const { features } = await day.admin.post("UserService/findAllUserFeatureDefinitions");
  const guide = readFileSync(`${root}core/guides/users.md`, "utf8");
  const rows = [...guide.matchAll(/^\| `([\w.]+)` +\| (.*?) +\|$/gm)].map(([, code, text]) => [code!, text!] as const);
  const table = new Map(rows.filter(([code]) => /^(server\..*|finance|ns|plan)$/.test(code)));
  expect([...table.keys()].sort()).toEqual(features.map(({ code }: { code: string }) => code).sort());
  const kinds = Map.groupBy(table, ([, text]) => /^(not for plans|nothing is stored)/.exec(text)?.[0] ?? "enforced");
  expect(kinds.get("enforced")!.map(([code]) => code)).toEqual(ENFORCED);
  const notForPlans = features.filter(({ supportPlan }: { supportPlan: boolean }) => !supportPlan);
  expect(kinds.get("not for plans")!.map(([code]) => code).sort())
    .toEqual(notForPlans.map(({ code }: { code: string }) => code).sort());
});

test("server.accessLog and server.viewAccessLog: logs are stored and shown for plans with them", async () => {
  const { day, admin, ada, node, buyWith, buy, plan, site } = await openShop();
  await using _day = day;
  const sites = {
    both: await site({ userPlanId: await buyWith("server.accessLog", "server.viewAccessLog") }),
    stored: await site({ userPlanId: await buyWith("server.accessLog") }),
    none: await site({ userPlanId: await buyWith() }),
    full: await site({ userPlanId: await buy(await plan({ hasFullFeatures: true, featuresJSON: encoded([]) })) }),
    unlisted: await site({ userPlanId: await buy(await plan({})) }),
    free: await site({}),
  };
  const seconds = Math.floor(day.clock.now() / 1000);
  const httpAccessLogs = Object.values(sites).map((serverId, index) => ({
    ...{ serverId, nodeId: node.id, requestId: `${seconds}00000100000000${index}0001`, host: `site${serverId}.test` },
    ...{ timestamp: seconds, requestURI: "/", status: 200, remoteAddr: "192.0.2.1" },
  }));
  await node.post("HTTPAccessLogService/createHTTPAccessLogs", { httpAccessLogs });
  const list = async (client: Client, filter: object = {}) => {
    const request = { day: "20260110", size: 100, ...filter };
    const { httpAccessLogs: found } = await client.post("HTTPAccessLogService/listHTTPAccessLogs", request);
    return (found ?? []).map(({ serverId }: { serverId: number }) => serverId).sort();
  };
  const { both, stored, none, full, unlisted, free } = sites;
  expect(await list(admin), "of the site without the feature nothing is stored").toEqual(
    [both, stored, full, unlisted, free],
  );
  expect(await list(ada)).toEqual([both, full, unlisted, free]);
  expect(await list(ada, { serverId: both })).toEqual([both]);
  for (const serverId of [stored, none]) {
    expect(await ada.error("HTTPAccessLogService/listHTTPAccessLogs", { day: "20260110", serverId })).toMatchObject(
      without("server.viewAccessLog"),
    );
  }
  const { requestId } = httpAccessLogs[1]!;
  expect(await ada.post("HTTPAccessLogService/findHTTPAccessLog", { requestId })).toEqual({});
  expect(await admin.post("HTTPAccessLogService/findHTTPAccessLog", { requestId })).not.toEqual({});
});

test("server.waf: a site has firewall policies if its plan has them, and moves to none without", async () => {
  const { day, admin, ada, buyWith, plan, site } = await openShop();
  await using _day = day;
  const [walled, open] = [await buyWith("server.waf"), await buyWith("server.http3")];
  const policy = { name: "p", isOn: true };
  const create = "HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy";
  const bare = await site({ name: "bare", userPlanId: open });
  expect(await ada.error(create, { ...policy, serverId: bare })).toMatchObject(without("server.waf"));
  const serverId = await site({ name: "shop", userPlanId: walled });
  const { httpFirewallPolicyId } = await ada.post(create, { ...policy, serverId });
  const inbound = { httpFirewallPolicyId, inboundJSON: encoded({ isOn: true, groupRefs: [] }) };
  await ada.post("HTTPFirewallPolicyService/updateHTTPFirewallInboundConfig", inbound);

  const first = 'delete the firewall policy "p" of the site "shop" (server.waf)';
  const moved = { serverId, userPlanId: open };
  for (const client of [ada, admin]) {
    expect(await client.error("ServerService/updateServerUserPlan", moved)).toMatchObject({
      code: 400,
      message: expect.stringContaining(`user plan ${open} does not fit: first ${first}`),
    });
  }
  const smaller = await plan({ featuresJSON: encoded([]), totalServerNames: 1 });
  const update = { userPlanId: walled, planId: smaller, dayTo: "2026-12-31", name: "mine", isOn: true };
  expect(await admin.error("UserPlanService/updateUserPlan", update)).toMatchObject({
    code: 409,
    message: expect.stringContaining(`first ${first}`),
  });
  const fitting = async () => {
    const { userPlans } = await ada.post("UserPlanService/findAllEnabledUserPlansForServer", { serverId });
    return userPlans.map(({ id }: { id: number }) => id).sort();
  };
  expect(await fitting()).toEqual([walled]);
  await admin.post("HTTPFirewallPolicyService/deleteHTTPFirewallPolicy", { httpFirewallPolicyId });
  expect(await fitting()).toEqual([walled, open]);
  await admin.post("UserPlanService/updateUserPlan", update);
  expect(await ada.error(create, { ...policy, serverId })).toMatchObject(without("server.waf"));
});

test("server.tcp.port and server.udp.port: users choose ports with them, admins always", async () => {
  const { day, admin, ada, nodeClusterId, buyWith, site } = await openShop();
  await using _day = day;
  const kinds = [["tcp", "TCP"], ["tls", "TLS"], ["udp", "UDP"]] as const;
  for (const [protocol, method] of kinds) {
    const feature = protocol === "udp" ? "server.udp.port" : "server.tcp.port";
    const [chosen, given] = [await buyWith(feature), await buyWith("server.http3")];
    const type = protocol === "udp" ? "udpProxy" : "tcpProxy";
    const field = `${protocol}JSON`;
    const port = String(20_000 + given);
    const request = { type, nodeClusterId, userPlanId: given, [field]: listen(protocol, port) };
    expect(await ada.error("ServerService/createServer", request)).toMatchObject(without(feature));
    const serverId = await site({ type, userPlanId: given });
    const update = { serverId, [field]: listen(protocol, port) };
    expect(await ada.error(`ServerService/updateServer${method}`, update)).toMatchObject(without(feature));
    await admin.post(`ServerService/updateServer${method}`, update);
    await ada.post(`ServerService/updateServer${method}`, update);
    await site({ type, userPlanId: chosen, [field]: listen(protocol, String(30_000 + given)) });
  }
});

test("a plan is found for a site only if the site, its names and its features fit into it", async () => {
  const { day, ada, buy, plan, site } = await openShop();
  await using _day = day;
  const names = (...all: string[]) => encoded(all.map((name) => ({ name, type: "full" })));
  const [one, two] = [await buy(await plan({ totalServerNames: 1 })), await buy(await plan({ totalServerNames: 2 }))];
  const full = await buy(await plan({ totalServers: 1 }));
  await site({ userPlanId: full });
  const serverId = await site({ serverNamesJSON: names("a.ada.test", "b.ada.test") });
  const { userPlans } = await ada.post("UserPlanService/findAllEnabledUserPlansForServer", { serverId });
  expect(userPlans.map(({ id }: { id: number }) => id)).toEqual([two]);
  for (const userPlanId of [one, full]) {
    expect(await ada.error("ServerService/updateServerUserPlan", { serverId, userPlanId })).toMatchObject({
      code: 400,
    });
  }
  await ada.post("ServerService/updateServerUserPlan", { serverId, userPlanId: two });
});

test("a node's configuration has plans by id and the traffic limit of a site, as nodes of the other API read them", async () => {
  const { day, node, plan, buy, site } = await openShop();
  await using _day = day;
  const trafficLimit = { isOn: true, dailySize: { count: 5, unit: "gb" } };
  const planId = await plan({ trafficLimitJSON: encoded(trafficLimit), featuresJSON: encoded(["server.http3"]) });
  const userPlanId = await buy(planId);
  await site({ name: "shop", userPlanId });
  await site({ name: "free" });
  const { servers, plans } = await node.config();
  // the plan ends on 10 February and is served three days longer
  expect(servers[0].userPlan).toMatchObject({ id: userPlanId, planId, dayTo: "2026-02-13" });
  expect(servers.map(({ trafficLimit }: { trafficLimit?: object }) => trafficLimit)).toEqual([
    expect.objectContaining({ isOn: true, dailySize: { count: 5, unit: "gb" } }),
    undefined,
  ]);
  expect(plans[planId]).toMatchObject({
    id: planId,
    name: "plan",
    featureCodes: ["server.http3"],
    maxUploadSize: null,
  });
});
