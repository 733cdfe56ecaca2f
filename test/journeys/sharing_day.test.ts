import { describe, expect, test } from "vitest";
import { certificateFile } from "../plugins/ssl_cert/certificates.ts";
import { type Client, type Day, json, openDay } from "./day_rig.ts";

const addr = { protocol: "http", host: "origin.example.com", portRange: "80" };
const SECRET = "AKIA-planted-secret";
const ossJSON = { type: "s3", options: { bucket: "films", accessKeySecret: SECRET } };
const SHARED = { code: 403, reason: "kernel.shared" };
const FOREIGN = { code: 400, reason: "kernel.other_owner" };
const on = (field: string, id: number) => [{ isOn: true, [field]: id }];

async function cluster({ admin }: Day): Promise<number> {
  return (await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" })).nodeClusterId;
}

/** Creates a site of a user, or of the installation. */
async function site({ admin }: Day, nodeClusterId: number, name: string, request: object): Promise<number> {
  const server = { type: "httpProxy", name, nodeClusterId, serverNamesJSON: [{ name: `${name}.example` }], ...request };
  return (await admin.post("ServerService/createServer", server)).serverId;
}

const using = (reverseProxyId: number) => ({ reverseProxyJSON: { isOn: true, reverseProxyId } });
const proxyOf = async (client: Client, reverseProxyId: number) =>
  json((await client.post("ReverseProxyService/findEnabledReverseProxyConfig", { reverseProxyId })).reverseProxyJSON);

async function createOrigin(client: Client, request: object = {}): Promise<number> {
  return (await client.post("OriginService/createOrigin", { isOn: true, addr, ...request })).originId;
}

async function createProxy(client: Client, originId: number, request: object = {}): Promise<number> {
  const primaryOriginsJSON = on("originId", originId);
  return (await client.post("ReverseProxyService/createReverseProxy", { primaryOriginsJSON, ...request }))
    .reverseProxyId;
}

describe("a reverse proxy of the installation on sites of two users", () => {
  test("shows them no secret anywhere and takes no change of theirs; nodes and admins see all of it", async () => {
    await using day = await openDay();
    const { admin } = day;
    const [ada, bob] = [await day.user("ada"), await day.user("bob")];
    const nodeClusterId = await cluster(day);
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const pem = (name: string) => btoa(new TextDecoder("latin1").decode(certificateFile(name)));
    const { sslCertId } = await admin.post("SSLCertService/createSSLCert", {
      ...{ name: "client", certData: pem("p256.pem"), keyData: pem("p256_pkcs8.key") },
    });
    const certRefJSON = { isOn: true, certId: sslCertId };
    const originId = await createOrigin(admin, { ossJSON, certRefJSON, host: "secret-host.example" });
    const reverseProxyId = await createProxy(admin, originId, { isShared: true });
    const serverId = await site(day, nodeClusterId, "ada", { userId: ada.id, ...using(reverseProxyId) });
    await site(day, nodeClusterId, "bob", { userId: bob.id, ...using(reverseProxyId) });

    // Ada reads all of it without the secrets.
    const seen = [
      await proxyOf(ada, reverseProxyId),
      json((await ada.post("OriginService/findEnabledOriginConfig", { originId })).originJSON),
      (await ada.post("OriginService/findEnabledOrigin", { originId })).Origin,
      json((await ada.post("ServerService/findEnabledServerConfig", { serverId })).serverJSON),
      json((await ada.post("SSLCertService/findEnabledSSLCertConfig", { sslCertId })).sslCertJSON),
    ];
    for (const config of seen) {
      expect(config).toMatchObject({ id: expect.any(Number) });
      const text = JSON.stringify({ ...config, ossJSON: config.ossJSON && json(config.ossJSON) });
      for (const secret of [SECRET, "secret-host", pem("p256_pkcs8.key")]) expect(text).not.toContain(secret);
    }
    expect(seen[0].primaryOrigins).toMatchObject([{ id: originId, oss: { type: "s3" } }]);
    expect(JSON.stringify(await node.config())).toContain(SECRET);
    expect(JSON.stringify(await proxyOf(admin, reverseProxyId))).toContain(SECRET);

    // She cannot direct Bob's site to an origin of hers, nor change what the proxy uses.
    const before = await proxyOf(admin, reverseProxyId);
    const originsJSON = on("originId", await createOrigin(ada));
    for (const operation of ["updateReverseProxyPrimaryOrigins", "updateReverseProxyBackupOrigins"]) {
      expect(await ada.error(`ReverseProxyService/${operation}`, { reverseProxyId, originsJSON })).toMatchObject(
        SHARED,
      );
    }
    expect(await ada.error("OriginService/updateOrigin", { originId, addr })).toMatchObject(SHARED);
    expect(await ada.error("OriginService/updateOriginIsOn", { originId })).toMatchObject(SHARED);
    expect(await ada.error("SSLCertService/deleteSSLCert", { sslCertId })).toMatchObject(SHARED);
    expect(await proxyOf(admin, reverseProxyId)).toEqual(before);

    // A third user sees nothing of it.
    const eve = await day.user("eve");
    expect(await proxyOf(eve, reverseProxyId)).toBeNull();
    expect(await eve.error("OriginService/updateOrigin", { originId, addr })).toMatchObject({ code: 404 });
  });
});

describe("a rule group in the firewall policy of a cluster", () => {
  test("is read, but not changed, by the users whose sites the cluster serves", async () => {
    await using day = await openDay();
    const { admin } = day;
    const [ada, eve] = [await day.user("ada"), await day.user("eve")];
    const nodeClusterId = await cluster(day);
    const policy = async (name: string, serverId = 0) =>
      (await admin.post("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", { name, isOn: true, serverId }))
        .httpFirewallPolicyId;
    const group = async (name: string) =>
      (await admin.post("HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup", { name, isOn: true }))
        .firewallRuleGroupId;
    const put = (httpFirewallPolicyId: number, groupId: number) => ({
      httpFirewallPolicyId,
      inboundJSON: { isOn: true, groupRefs: on("groupId", groupId) },
    });
    const inbound = "HTTPFirewallPolicyService/updateHTTPFirewallInboundConfig";
    const firewallRuleGroupId = await group("of all");
    const rules = [
      { isOn: true, param: "${header.x-internal}", operator: "eq string", value: SECRET },
      { isOn: true, param: "${requestPath}", operator: "prefix", value: "/admin" },
    ];
    const actions = [{ code: "page", options: { status: 403, headers: { "x-internal": SECRET } } }];
    await admin.post("HTTPFirewallRuleGroupService/addHTTPFirewallRuleGroupSet", {
      ...{ firewallRuleGroupId, firewallRuleSetConfigJSON: { isOn: true, name: "paths", rules, actions } },
    });
    const ofCluster = await policy("of the cluster");
    await admin.post(inbound, put(ofCluster, firewallRuleGroupId));
    const assignment = { nodeClusterId, httpFirewallPolicyId: ofCluster };
    await admin.post("NodeClusterService/updateNodeClusterHTTPFirewallPolicyId", assignment);
    const serverId = await site(day, nodeClusterId, "ada", { userId: ada.id });

    const configOf = async (client: Client, id: number) => {
      const path = "HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroupConfig";
      const { firewallRuleGroupJSON } = await client.post(path, { firewallRuleGroupId: id });
      return firewallRuleGroupJSON === undefined ? undefined : json(firewallRuleGroupJSON);
    };
    const before = await configOf(admin, firewallRuleGroupId);
    const seen = await configOf(ada, firewallRuleGroupId);
    expect(seen.sets[0].rules).toMatchObject([{ param: "${header.x-internal}", value: "" }, { value: "/admin" }]);
    expect(seen.sets[0].actions).toEqual([{ code: "page", options: { status: 403 } }]);
    expect(JSON.stringify(before)).toContain(SECRET);
    const [{ id: firewallRuleSetId }] = before.sets;
    const groups = "HTTPFirewallRuleGroupService";
    const attacks: [string, object][] = [
      [`${groups}/updateHTTPFirewallRuleGroupIsOn`, { firewallRuleGroupId, isOn: false }],
      [`${groups}/updateHTTPFirewallRuleGroup`, { firewallRuleGroupId, name: "off" }],
      [`${groups}/updateHTTPFirewallRuleGroupSets`, { firewallRuleGroupId, firewallRuleSetsJSON: [] }],
      [`${groups}/addHTTPFirewallRuleGroupSet`, { firewallRuleGroupId, firewallRuleSetConfigJSON: { name: "x" } }],
      ["HTTPFirewallRuleSetService/updateHTTPFirewallRuleSetIsOn", { firewallRuleSetId, isOn: false }],
      ["HTTPFirewallRuleSetService/createOrUpdateHTTPFirewallRuleSetFromConfig", {
        firewallRuleSetConfigJSON: { id: firewallRuleSetId, name: "allow all" },
      }],
    ];
    for (const [path, request] of attacks) {
      expect(await ada.error(path, request), path).toMatchObject(SHARED);
      expect(await eve.error(path, request), path).toMatchObject({ code: 404 });
    }
    expect(await configOf(admin, firewallRuleGroupId)).toEqual(before);
    expect(await configOf(eve, firewallRuleGroupId)).toBeUndefined();

    // A group that only the policy of her site contains is hers, and no policy of others takes it.
    const own = await group("of the site");
    await admin.post(inbound, put(await policy("of the site", serverId), own));
    await ada.post(`${groups}/updateHTTPFirewallRuleGroupIsOn`, { firewallRuleGroupId: own, isOn: false });
    expect(await admin.error(inbound, put(ofCluster, own))).toMatchObject(FOREIGN);

    // The group follows her site to its next owner.
    await admin.post("ServerService/updateServerUser", { serverId, userId: eve.id });
    await eve.post(`${groups}/updateHTTPFirewallRuleGroupIsOn`, { firewallRuleGroupId: own, isOn: true });
    expect(await configOf(ada, own)).toBeUndefined();
  });
});

test("clients make an origin and a proxy as admin, then the site: both become that user's", async () => {
  await using day = await openDay();
  const { admin } = day;
  const [ada, bob] = [await day.user("ada"), await day.user("bob")];
  const nodeClusterId = await cluster(day);
  const originId = await createOrigin(admin, { ossJSON });
  const reverseProxyId = await createProxy(admin, originId);
  expect(await proxyOf(ada, reverseProxyId)).toBeNull();
  const serverId = await site(day, nodeClusterId, "ada", { userId: ada.id, ...using(reverseProxyId) });
  expect((await proxyOf(ada, reverseProxyId)).primaryOrigins[0].oss.options).toEqual(ossJSON.options);
  await ada.post("OriginService/updateOrigin", { originId, addr: { ...addr, portRange: "8080" } });

  const bobs = { type: "httpProxy", name: "bob", nodeClusterId, userId: bob.id, ...using(reverseProxyId) };
  expect(await admin.error("ServerService/createServer", bobs)).toMatchObject(FOREIGN);
  expect(await admin.error("ServerService/createServer", { ...bobs, userId: 0 })).toMatchObject(FOREIGN);
  expect(
    await admin.error("ReverseProxyService/createReverseProxy", {
      primaryOriginsJSON: on("originId", originId),
    }),
  ).toMatchObject(FOREIGN);

  // The site moves to Bob with its proxy, unless another site of Ada uses the proxy, too.
  const second = await site(day, nodeClusterId, "second", { userId: ada.id, ...using(reverseProxyId) });
  const transfer = { serverId, userId: bob.id };
  expect(await admin.error("ServerService/updateServerUser", transfer)).toMatchObject(FOREIGN);
  await admin.post("ServerService/deleteServer", { serverId: second });
  await admin.post("ServerService/updateServerUser", transfer);
  expect(await proxyOf(bob, reverseProxyId)).toMatchObject({ primaryOrigins: [{ id: originId }] });
  expect(await proxyOf(ada, reverseProxyId)).toBeNull();
});

test("what the installation's own site uses stays with the installation when a user's site takes it", async () => {
  await using day = await openDay();
  const { admin } = day;
  const ada = await day.user("ada");
  const nodeClusterId = await cluster(day);
  const reverseProxyId = await createProxy(admin, await createOrigin(admin, { ossJSON }));
  await site(day, nodeClusterId, "own", using(reverseProxyId));
  await site(day, nodeClusterId, "ada", { userId: ada.id, ...using(reverseProxyId) });
  expect(JSON.stringify(await proxyOf(ada, reverseProxyId))).not.toContain(SECRET);
  expect(await ada.error("ReverseProxyService/updateReverseProxy", { reverseProxyId })).toMatchObject(SHARED);
});

test("after an upgrade, users get what an earlier release left with the installation, unless others use it", async () => {
  await using day = await openDay();
  const { admin } = day;
  const [ada, bob] = [await day.user("ada"), await day.user("bob")];
  const nodeClusterId = await cluster(day);
  const proxies: number[] = [];
  for (const owners of [[ada], [ada, bob], [ada]]) {
    const reverseProxyId = await createProxy(admin, await createOrigin(admin, { ossJSON }), { isShared: true });
    for (const [index, { id: userId }] of owners.entries()) {
      await site(day, nodeClusterId, `s${reverseProxyId}-${index}`, { userId, ...using(reverseProxyId) });
    }
    proxies.push(reverseProxyId);
  }
  const [mixed, common, hers] = proxies as [number, number, number];
  await day.edgehelm.engine.migrate(async (session) => {
    for (
      const sql of [
        "update reverseProxies set isShared = 0",
        `update origins set userId = ${bob.id} where id = ${mixed}`,
        "insert into serverReviews select id from servers where userId <> 0",
      ]
    ) await session.run({ sql, scope: { owner: "test", tables: undefined } }, []);
  });
  const update = (client: Client, reverseProxyId: number) =>
    client.post("ReverseProxyService/updateReverseProxy", { reverseProxyId, retry50X: true });
  await expect(update(ada, hers)).rejects.toThrow("belongs to the installation");

  await day.job("server.take_references");
  await update(ada, hers);
  expect(JSON.stringify(await proxyOf(ada, hers))).toContain(SECRET);
  for (const reverseProxyId of [common, mixed]) {
    await expect(update(ada, reverseProxyId)).rejects.toThrow("belongs to the installation");
    expect(JSON.stringify(await proxyOf(ada, reverseProxyId))).not.toContain(SECRET);
  }
});
