import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pluginFolders } from "../matrix/plugins.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../harness/server.ts";
import { certificateFile } from "../plugins/ssl_cert/certificates.ts";
import { KnownClient, post } from "./known_client.ts";

let installation: Record<string, string>;
let server: Server;
beforeAll(async () => {
  installation = await installationDirectory(pluginFolders);
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
});
afterAll(async () => {
  server.kill();
  await server.ended;
  await removeInstallation(installation);
});

/** Returns a client that has logged in with the key of the first admin. */
const client = (header: string, spell?: (method: string) => string) =>
  new KnownClient(server.url, header, spell).login();

const capital = (method: string) => method.charAt(0).toUpperCase() + method.slice(1);
const base64 = (text: string) => btoa(text);
const decoded = (json: string) => JSON.parse(atob(json));

test("a probe of the root", async () => {
  const envelope = await (await fetch(`${server.url}/`)).json();
  expect(envelope).toMatchObject({ code: 200, data: {} });
});

test("the DNS provider of GoEdge: capitalised methods, and a missing domain is absent", async () => {
  const goedge = await client("X-Edge-Access-Token", capital);
  const { nsClusterId } = await goedge.data("NSClusterService/createNSCluster", {
    name: "goedge",
    hosts: ["ns1.edge.test"],
  });
  const name = "goedge.example";
  expect((await goedge.data("NSDomainService/findNSDomainWithName", { name })).nsDomain).toBeUndefined();
  await goedge.data("NSDomainService/createNSDomain", { nsClusterId, name });
  const { nsDomain } = await goedge.data("NSDomainService/findNSDomainWithName", { name });
  expect(nsDomain.id).toBeGreaterThan(0);
  const { nsRoutes } = await goedge.data("NSRouteService/findAllNSRoutes", {});
  expect(nsRoutes).toEqual([]);
  const record = { nsDomainId: nsDomain.id, name: "www", type: "CNAME", value: "edge.example.net.", ttl: 600 };
  await goedge.data("NSRecordService/createNSRecord", { ...record, nsRouteCodes: ["default"] });
  const found = { nsDomainId: nsDomain.id, name: "www", type: "CNAME" };
  const { nsRecord } = await goedge.data("NSRecordService/findNSRecordWithNameAndType", found);
  expect(nsRecord).toMatchObject({ name: "www", type: "CNAME", value: "edge.example.net." });
  await goedge.data("NSRecordService/deleteNSRecord", { nsRecordId: nsRecord.id });
  expect((await goedge.data("NSRecordService/findNSRecordWithNameAndType", found)).nsRecord).toBeUndefined();
});

test.each(["X-Edge-Access-Token", "X-Cloud-Access-Token", "Edge-Access-Token"])(
  "dnsmgr with the header %s: names of older releases, and numbers as strings",
  async (header) => {
    const dnsmgr = await client(header);
    const mark = `d${header.replaceAll("-", "").toLowerCase()}`;
    expect((await dnsmgr.data("NSClusterService/findAllEnabledNSClusters", {})).nsClusters).toBeInstanceOf(Array);
    const { nsClusterId } = await dnsmgr.data("NSClusterService/createNSCluster", { name: mark });
    const { nsDomainId } = await dnsmgr.data("NSDomainService/createNSDomain", {
      ...{ nsClusterId: String(nsClusterId), name: `${mark}.example`, userId: "0" },
    });
    const filter = { offset: "0", size: "10", keyword: mark };
    const { nsDomains } = await dnsmgr.data("NSDomainService/listEnabledNSDomains", filter);
    expect(nsDomains.map(({ id }: { id: number }) => id)).toEqual([nsDomainId]);
    expect((await dnsmgr.data("NSDomainService/countAllEnabledNSDomains", { keyword: mark })).count).toBe(1);
    await dnsmgr.data("NSRouteService/findAllDefaultWorldRegionRoutes", {});
    await dnsmgr.data("NSRouteService/findAllDefaultISPRoutes", {});
    const { nsRecordId } = await dnsmgr.data("NSRecordService/createNSRecord", {
      ...{
        nsDomainId: String(nsDomainId),
        name: "@",
        type: "MX",
        value: "mx.example.net",
        ttl: "600",
        mxPriority: "10",
      },
    });
    const { nsRecords } = await dnsmgr.data("NSRecordService/listNSRecords", {
      nsDomainId: String(nsDomainId),
      size: "9",
    });
    expect(nsRecords).toMatchObject([{ id: nsRecordId, mxPriority: 10, ttl: 600, isOn: true }]);
  },
);

describe("billing panels", () => {
  test("WHMCS: no body, unknown fields, and days without dashes", async () => {
    const whmcs = await client("X-Edge-Access-Token");
    const plan = { name: "traffic", priceType: "traffic", trafficPriceJSON: base64('{"base": 0.1}') };
    const { planId } = await whmcs.data("PlanService/createPlan", plan);
    const { plans } = await whmcs.data("PlanService/findAllAvailablePlans");
    expect(plans.map(({ id }: { id: number }) => id)).toContain(planId);
    const person = {
      username: "whmcs1",
      password: "walks in the rain",
      fullname: "W",
      source: "whmcs",
      nodeClusterId: 0,
    };
    const { userId } = await whmcs.data("UserService/createUser", { ...person, groupId: 3, language: "en" });
    const { userPlanId } = await whmcs.data("UserPlanService/buyUserPlan", {
      ...{ userId, planId, dayFrom: "20300101", dayTo: "20310131", period: "monthly", countMonths: 1, name: "one" },
    });
    const { userPlans } = await whmcs.data("UserPlanService/listEnabledUserPlans", { userId, offset: 0, size: 20 });
    expect(userPlans).toMatchObject([{ id: userPlanId, dayTo: "2031-01-31", plan: { id: planId } }]);
    const renewal = { userPlanId, dayTo: "2031-02-28", period: "monthly", countPeriod: 1 };
    await whmcs.data("UserPlanService/renewUserPlan", renewal);
    const { userPlan } = await whmcs.data("UserPlanService/findEnabledUserPlan", { userPlanId });
    expect(userPlan.dayTo).toBe("2031-02-28");
    await whmcs.data("UserService/updateUser", { ...person, userId, isOn: false });
    expect((await whmcs.data("UserService/findEnabledUser", { userId })).user).toMatchObject({ isOn: false });
  });

  test("Paymenter: tops up the account before it buys, for a valid period", async () => {
    const paymenter = await client("X-Cloud-Access-Token");
    const { planId } = await paymenter.data("PlanService/createPlan", {
      ...{ name: "monthly", priceType: "period", monthlyPrice: 9.9, seasonallyPrice: 27, yearlyPrice: 99 },
    });
    const { userId } = await paymenter.data("UserService/createUser", {
      username: "pay1",
      password: "walks in the rain",
    });
    const buy = { userId, planId, period: "seasonally", countPeriod: 2, name: "two" };
    expect(await paymenter.raw("UserPlanService/buyUserPlan", JSON.stringify({ ...buy, period: "month" })))
      .toMatchObject({ code: 400, message: expect.stringContaining("monthly, seasonally") });
    expect(await paymenter.raw("UserPlanService/buyUserPlan", JSON.stringify(buy)))
      .toMatchObject({ code: 409, reason: "user_account.insufficient" });
    const account = await paymenter.data("UserAccountService/findEnabledUserAccountWithUserId", { userId });
    const userAccountId = account.userAccount.id;
    const topUp = { userAccountId, delta: 54, eventType: "charge", description: "order 7", paramsJSON: null };
    await paymenter.data("UserAccountService/updateUserAccount", topUp);
    await paymenter.data("UserPlanService/buyUserPlan", buy);
    const left = await paymenter.data("UserAccountService/findEnabledUserAccountWithUserId", { userId });
    expect(left.userAccount.total).toBe(0);
  });
});

describe("deployers of certificates", () => {
  const pem = (name: string) => new TextDecoder("latin1").decode(certificateFile(name));

  test("certd and certimate: a renewal of the certificate keeps name and switch", async () => {
    const certd = await client("X-Edge-Access-Token");
    const [certData, keyData] = [base64(pem("rsa.pem")), base64(pem("rsa_pkcs8.key"))];
    const { sslCertId } = await certd.data("SSLCertService/createSSLCert", {
      ...{
        userId: 0,
        isOn: true,
        name: "certd",
        description: "by certd",
        serverName: "",
        isCA: false,
        certData,
        keyData,
      },
      ...{ timeBeginAt: 1, timeEndAt: 2, dnsNames: ["wrong.example"], commonNames: [] },
    });
    const list = async () => {
      const request = { isCA: false, isAvailable: true, keyword: "certd", offset: 0, size: 20 };
      const counted = await certd.data("SSLCertService/countSSLCerts", request);
      const { sslCertsJSON } = await certd.data("SSLCertService/listSSLCerts", request);
      expect(decoded(sslCertsJSON)).toHaveLength(counted.count);
      return decoded(sslCertsJSON);
    };
    const [before] = await list();
    expect(before).toMatchObject({ id: sslCertId, name: "certd", isOn: true, description: "by certd" });
    expect(before.timeEndAt).toBeGreaterThan(before.timeBeginAt);
    await certd.data("SSLCertService/updateSSLCert", { sslCertId, certData: base64(pem("rsa_renewed.pem")), keyData });
    const [after] = await list();
    expect(after).toMatchObject({ id: sslCertId, name: "certd", isOn: true, description: "by certd" });
    expect(after.timeEndAt).not.toBe(before.timeEndAt);
    const { sslCertJSON } = await certd.data("SSLCertService/findEnabledSSLCertConfig", { sslCertId });
    expect(decoded(sslCertJSON)).toMatchObject({ id: sslCertId, certData: base64(pem("rsa_renewed.pem")), keyData });
  });

  test("goedge-ip-cert: one retry if the message mentions the access token", async () => {
    const deployer = new KnownClient(server.url, "X-Edge-Access-Token");
    for (const token of ["", "not a token"]) {
      deployer.token = token;
      const refused = await deployer.raw("SSLCertService/listSSLCerts", "{}");
      expect(refused).toMatchObject({ data: {}, message: expect.stringContaining("access token") });
      expect(refused.code).not.toBe(200);
    }
    await deployer.login();
    await deployer.data("SSLCertService/listSSLCerts", {});
  });
});

test("AMEN: no body for an empty request, and secrets from the list", async () => {
  const amen = await client("X-Edge-Access-Token");
  const { userId } = await amen.data("UserService/createUser", { username: "amen1", password: "walks in the rain" });
  const { userAccessKeyId } = await amen.data("UserAccessKeyService/createUserAccessKey", { userId, description: "a" });
  const { userAccessKeys } = await amen.data("UserAccessKeyService/findAllEnabledUserAccessKeys", { userId });
  const [key] = userAccessKeys;
  expect(key).toMatchObject({ id: userAccessKeyId, isOn: true });
  const login = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
  const user = await new KnownClient(server.url, "X-Edge-Access-Token").login(login);
  await user.data("NSDomainService/listNSDomains");
  expect(await user.raw("NodeClusterService/findAllEnabledNodeClusters"))
    .toMatchObject({ code: 403, message: expect.stringContaining("permission") });
});

test("bots: a token for each request, and a query of the API node", async () => {
  const first = await client("X-Cloud-Access-Token");
  for (let times = 0; times < 3; times++) {
    const bot = await client("X-Cloud-Access-Token", capital);
    const { apiNode } = await bot.data("APINodeService/findCurrentAPINode");
    const { apiNodes } = await bot.data("APINodeService/findAllEnabledAPINodes");
    expect(apiNodes.map(({ id }: { id: number }) => id)).toContain(apiNode.id);
    expect(decoded(apiNode.statusJSON)).toMatchObject({ isActive: true });
    expect((await bot.data("APINodeService/findCurrentAPINodeVersion")).version).toMatch(/^\d+\.\d+\.\d+/);
  }
  await first.data("APINodeService/findCurrentAPINodeVersion");
});

describe("all of these clients rely on", () => {
  let shared: KnownClient;
  beforeAll(async () => {
    shared = await client("X-Cloud-Access-Token");
  });

  test("JSON in bytes fields, as base64 or inline, and null for none", async () => {
    const policy = { name: "p", isOn: true, type: "memory" };
    const configs = [];
    for (const encode of [(value: object) => value, (value: object) => base64(JSON.stringify(value))]) {
      const [capacityJSON, maxSizeJSON] = [encode({ count: 2, unit: "gb" }), encode({ count: 1, unit: "mb" })];
      const created = await shared.data("HTTPCachePolicyService/createHTTPCachePolicy", {
        ...policy,
        capacityJSON,
        maxSizeJSON,
      });
      const found = await shared.data("HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig", created);
      configs.push({ ...decoded(found.httpCachePolicyJSON), id: 0 });
    }
    expect(configs[0]).toMatchObject({ capacity: { count: 2, unit: "gb" }, maxSize: { count: 1, unit: "mb" } });
    expect(configs[1]).toEqual(configs[0]);
    const absent = await shared.data("ReverseProxyService/findEnabledReverseProxyConfig", { reverseProxyId: 987_654 });
    expect(absent.reverseProxyJSON).toBe("bnVsbA==");
  });

  test("days with and without dashes", async () => {
    for (const days of [{ dayFrom: "2026-01-01", dayTo: "2026-12-31" }, { dayFrom: "20260101", dayTo: "20261231" }]) {
      expect((await shared.data("NodeLogService/countNodeLogs", days)).count).toBe(0);
    }
  });

  test("field names in any letter case, null for omitted fields, and zero values in responses", async () => {
    const { nodeRegionId } = await shared.data("NodeRegionService/createNodeRegion", { NAME: "eu", Description: null });
    const { nodeRegion } = await shared.data("NodeRegionService/findEnabledNodeRegion", { noderegionid: nodeRegionId });
    expect(nodeRegion).toMatchObject({ id: nodeRegionId, isOn: true, name: "eu", description: "" });
  });

  test("an empty PHP array is not an object, which the error says", async () => {
    const { code, message } = await shared.raw("NodeRegionService/findAllEnabledNodeRegions", "[]");
    expect([code, message]).toEqual([400, "Decode request failed: expected a JSON object, got an array"]);
  });

  test("query parameters and content types are ignored, and responses are indented on request", async () => {
    const path = "/NodeRegionService/findAllEnabledNodeRegions?debug=1";
    for (const name of ["X-Edge-Response-Pretty", "X-Cloud-Response-Pretty", "Edge-Response-Pretty"]) {
      const headers = { "X-Edge-Access-Token": shared.token, "content-type": "text/plain", [name]: "on" };
      const text = await (await post(server.url + path, headers, "{}")).text();
      expect(text).toMatch(/^\{\n +"code": 200,\n +"data": \{/);
    }
  });

  test("an unknown path gets an error with a suggestion", async () => {
    const response = await post(
      server.url + "/NSDomainServices/listNSDomain",
      { "X-Edge-Access-Token": shared.token },
      "{}",
    );
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 404, message: expect.stringContaining("NSDomainService") });
  });
});
