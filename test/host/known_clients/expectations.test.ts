import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pluginFolders } from "../../matrix/plugins.ts";
import { certificateFile } from "../../plugins/ssl_cert/certificates.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { KnownClient } from "../known_client.ts";

const base64 = (value: unknown) => btoa(JSON.stringify(value));
const decoded = (json: string) => JSON.parse(atob(json));

let installation: Record<string, string>;
let server: Server;
let admin: KnownClient;
beforeAll(async () => {
  installation = await installationDirectory(pluginFolders);
  server = await Server.start({ ...installation, ...CHOSEN_KEY });
  admin = await new KnownClient(server.url, "X-Edge-Access-Token").login();
});
afterAll(async () => {
  server.kill();
  await server.ended;
  await removeInstallation(installation);
});

async function createUser(username: string): Promise<{ userId: number; client: KnownClient }> {
  const { userId } = await admin.data("UserService/createUser", { username, password: "walks in the rain" });
  await admin.data("UserAccessKeyService/createUserAccessKey", { userId });
  const { userAccessKeys: [key] } = await admin.data("UserAccessKeyService/findAllEnabledUserAccessKeys", { userId });
  const login = { type: "user", accessKeyId: key.uniqueId, accessKey: key.secret };
  return { userId, client: await new KnownClient(server.url, "X-Edge-Access-Token").login(login) };
}

async function refusal(path: string, request: object) {
  return await admin.raw(path, JSON.stringify(request));
}

test("users create and configure their sites", async () => {
  const { client } = await createUser("builder");
  const { nodeClusterId } = await admin.data("NodeClusterService/createNodeCluster", { name: "sites" });
  const { nodeCluster } = await client.data("NodeClusterService/findEnabledNodeCluster", { nodeClusterId });
  expect(nodeCluster).toMatchObject({ id: nodeClusterId, name: "sites", secret: "", uniqueId: "" });
  const serverNames = ["shop.builder.example"];
  const names = await client.data("ServerService/checkServerNameDuplicationInNodeCluster", {
    ...{ nodeClusterId, serverNames },
  });
  expect(names.duplicatedServerNames).toEqual([]);
  const { serverId } = await client.data("ServerService/createServer", {
    ...{ nodeClusterId, type: "httpProxy", name: "shop", includeNodesJSON: null, excludeNodesJSON: base64(null) },
    serverNamesJSON: base64([{ name: serverNames[0], type: "full", subNames: null }]),
  });
  const listen = (protocol: string, portRange: string) => base64({ isOn: true, listen: [{ protocol, portRange }] });
  await client.data("ServerService/updateServerHTTP", { serverId, httpJSON: listen("http", "80") });
  await client.data("ServerService/updateServerHTTPS", { serverId, httpsJSON: listen("https", "443") });
  const tcp = { nodeClusterId, type: "tcpProxy", name: "game", tcpJSON: listen("tcp", "25565") };
  await client.data("ServerService/updateServerTLS", {
    serverId: (await client.data("ServerService/createServer", tcp)).serverId,
    tlsJSON: listen("tls", "25566"),
  });
  const udp = { nodeClusterId, type: "udpProxy", name: "voice" };
  await client.data("ServerService/updateServerUDP", {
    serverId: (await client.data("ServerService/createServer", udp)).serverId,
    udpJSON: listen("udp", "25567"),
  });
  const { reverseProxyId } = await client.data("ReverseProxyService/createReverseProxy", {});
  const reverseProxyJSON = base64({ isOn: true, reverseProxyId });
  await client.data("ServerService/updateServerReverseProxy", { serverId, reverseProxyJSON });
  await client.data("ServerService/updateServerUserPlan", { serverId, userPlanId: 0 });
  const { serverJSON } = await client.data("ServerService/findEnabledServerConfig", { serverId });
  expect(decoded(serverJSON)).toMatchObject({ reverseProxy: { id: reverseProxyId }, https: { isOn: true } });
});

test("users create and fill firewall policies", async () => {
  const { client } = await createUser("guard");
  const policy = { name: "p", isOn: true, httpFirewallGroupCodes: ["xss"] };
  const ids = [];
  for (const method of ["createHTTPFirewallPolicy", "createEmptyHTTPFirewallPolicy"]) {
    ids.push((await client.data(`HTTPFirewallPolicyService/${method}`, policy)).httpFirewallPolicyId);
  }
  const [httpFirewallPolicyId] = ids;
  const inboundJSON = base64({ isOn: true, groupRefs: [] });
  await client.data("HTTPFirewallPolicyService/updateHTTPFirewallInboundConfig", { httpFirewallPolicyId, inboundJSON });
  await client.data("HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", { httpFirewallPolicyId, inboundJSON });
  const found = await client.data("HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicy", { httpFirewallPolicyId });
  expect(decoded(found.httpFirewallPolicy.inboundJSON)).toMatchObject({ isOn: true, groupRefs: [] });
  const site = await client.data("HTTPFirewallPolicyService/findServerIdWithHTTPFirewallPolicyId", {
    httpFirewallPolicyId,
  });
  expect(site.serverId).toBe(0);
});

describe("billing panels", () => {
  const MONTHLY = { name: "monthly", priceType: "period", monthlyPrice: 9.9 };

  test("a purchase of 0 periods is one period, also beside an unknown countMonths; 1200 months are sold in full", async () => {
    const { userId } = await createUser("buyer");
    const { planId } = await admin.data("PlanService/createPlan", MONTHLY);
    const { userAccount } = await admin.data("UserAccountService/findEnabledUserAccountWithUserId", { userId });
    const pay = { userAccountId: userAccount.id, delta: 11_909.7, eventType: "charge", description: "top-up" };
    await admin.data("UserAccountService/updateUserAccount", pay);
    const buy = async (more: object) => {
      const request = { userId, planId, period: "monthly", name: "one", ...more };
      const { userPlanId } = await admin.data("UserPlanService/buyUserPlan", request);
      return (await admin.data("UserPlanService/findEnabledUserPlan", { userPlanId })).userPlan.dayTo;
    };
    const total = async () => {
      const account = await admin.data("UserAccountService/findEnabledUserAccountWithUserId", { userId });
      return account.userAccount.total;
    };
    const one = await buy({ countPeriod: 1 });
    expect(await buy({ countPeriod: 0 })).toBe(one);
    expect(await buy({ countMonths: 1 })).toBe(one);
    expect(await total()).toBe(11_880);
    expect(Number((await buy({ countPeriod: 1200 })).slice(0, 4)) - new Date().getUTCFullYear()).toBe(100);
    expect(await total()).toBe(0);
    expect(await refusal("UserPlanService/buyUserPlan", { userId, planId, period: "monthly", countPeriod: 1201 }))
      .toMatchObject({ code: 400, message: "countPeriod: must be 0 to 1200, got 1201" });
  });

  test("a plan has no price for a period that is not sold", async () => {
    const { planId } = await admin.data("PlanService/createPlan", MONTHLY);
    const { plan } = await admin.data("PlanService/findEnabledPlan", { planId });
    expect(plan.monthlyPrice).toBe(9.9);
    for (const name of ["seasonallyPrice", "yearlyPrice", "trafficPriceJSON", "featuresJSON"]) {
      expect(plan).not.toHaveProperty(name);
    }
    expect(plan).toMatchObject({ totalServers: 0, dailyRequests: 0, hasFullFeatures: false });
  });

  test("all codes of features that the other API knows are accepted, and others refused by name", async () => {
    const { userId } = await createUser("featured");
    const sites = "tcp tcp.port udp udp.port accessLog viewAccessLog script waf optimization uam webp cc acme auth " +
      "websocket http3 referers userAgent requestLimit compression rewriteRules hostRedirects httpHeaders pages";
    const featureCodes = ["plan", ...sites.split(" ").map((code) => `server.${code}`)];
    expect(featureCodes).toHaveLength(25);
    await admin.data("UserService/updateUserFeatures", { userId, featureCodes });
    const plan = { ...MONTHLY, featuresJSON: base64(featureCodes) };
    const { planId } = await admin.data("PlanService/createPlan", plan);
    expect(decoded((await admin.data("PlanService/findEnabledPlan", { planId })).plan.featuresJSON))
      .toEqual(featureCodes);
    expect(await refusal("PlanService/createPlan", { ...MONTHLY, featuresJSON: base64(["server.telepathy"]) }))
      .toMatchObject({
        code: 400,
        message: expect.stringMatching(/^featuresJSON\[0\]: must be one of .*server\.http3/),
      });
  });
});

test("an admin's certificates without userId are the installation's, so that none of a customer is replaced", async () => {
  const { userId, client } = await createUser("customer");
  const pem = (name: string) => btoa(new TextDecoder("latin1").decode(certificateFile(name)));
  const files = { certData: pem("p256.pem"), keyData: pem("p256_pkcs8.key") };
  await client.data("SSLCertService/createSSLCert", { ...files, name: "theirs" });
  await admin.data("SSLCertService/createSSLCert", { ...files, name: "ours" });
  const list = async (request: object) => {
    const { count } = await admin.data("SSLCertService/countSSLCerts", request);
    const { sslCertsJSON } = await admin.data("SSLCertService/listSSLCerts", { ...request, size: 100 });
    const names = decoded(sslCertsJSON).map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(count);
    return names;
  };
  expect(await list({})).toEqual(["ours"]);
  expect(await list({ userId })).toEqual(["theirs"]);
  expect(await list({ userOnly: true })).toEqual(["theirs"]);
});

test("JSON null is not given in a request, and is the configuration of what does not exist", async () => {
  const { nodeClusterId } = await admin.data("NodeClusterService/createNodeCluster", { name: "n" });
  const site = {
    nodeClusterId,
    type: "httpProxy",
    httpJSON: base64(null),
    httpsJSON: null,
    reverseProxyJSON: base64(null),
  };
  const { serverId } = await admin.data("ServerService/createServer", site);
  await admin.data("ServerService/updateServerHTTP", { serverId, httpJSON: base64(null) });
  const configs = [
    ["SSLCertService/findEnabledSSLCertConfig", { sslCertId: 987_654 }, "sslCertJSON"],
    ["OriginService/findEnabledOriginConfig", { originId: 987_654 }, "originJSON"],
    ["ReverseProxyService/findEnabledReverseProxyConfig", { reverseProxyId: 987_654 }, "reverseProxyJSON"],
    ["ServerService/findEnabledServerConfig", { serverId: 987_654 }, "serverJSON"],
    [
      "HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicyConfig",
      { httpFirewallPolicyId: 9 },
      "httpFirewallPolicyJSON",
    ],
  ] as const;
  for (const [path, request, field] of configs) {
    expect({ path, config: decoded((await admin.data(path, request))[field]) }).toEqual({ path, config: null });
  }
});

test("SRV and CAA records may be given whole, as zone files have them", async () => {
  const { nsClusterId } = await admin.data("NSClusterService/createNSCluster", { name: "dns" });
  const { nsDomainId } = await admin.data("NSDomainService/createNSDomain", { nsClusterId, name: "whole.example" });
  const create = async (record: object) => {
    const { nsRecordId } = await admin.data("NSRecordService/createNSRecord", { nsDomainId, ttl: 600, ...record });
    return (await admin.data("NSRecordService/findNSRecord", { nsRecordId })).nsRecord;
  };
  const srv = { name: "_sip._tcp", type: "SRV" };
  const parts = { srvPriority: 1, srvWeight: 5, srvPort: 5060 };
  expect(await create({ ...srv, value: "1 5 5060 sip.example.com." })).toMatchObject(parts);
  expect(await create({ ...srv, value: "other.example.com", ...parts })).toMatchObject({
    ...parts,
    value: "other.example.com",
  });
  expect(await create({ name: "@", type: "CAA", value: '128 issue "ca.example.net"' }))
    .toMatchObject({ caaFlag: 128, caaTag: "issue", value: "ca.example.net" });
  expect(await refusal("NSRecordService/createNSRecord", { ...srv, nsDomainId, value: "1 5 sip.example.com" }))
    .toMatchObject({ code: 400, message: expect.stringMatching(/^value: /) });
});

test("an error suggests only what is served, of the same service", async () => {
  const message = async (path: string) => {
    const response = await fetch(`${server.url}/${path}`, { method: "POST", body: "{}" });
    expect(response.status).toBe(404);
    return (await response.json()).message as string;
  };
  expect(await message("OrderService/finishUserOrderX")).not.toContain("finishUserOrderX?");
  expect(await message("ServersService/createServr")).toContain("did you mean /ServerService/createServer?");
  expect(await message("ServersService/composeNothingAtAll")).not.toContain("did you mean");
  expect(await message("ServerService/findAllUserServerz")).toContain("/ServerService/findAllUserServers?");
});
