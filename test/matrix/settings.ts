import type { JsonObject } from "@bufbuild/protobuf";
import { as, type TestCaller } from "edgehelm/testing";
import type { Fields } from "./fixture.ts";
import type { World } from "./world.ts";

const SIZE = { count: 2, unit: "gb" };
const DURATION = { count: 5, unit: "second" };
const PROTECTION = {
  tcp: { isPrior: true, isOn: true, allowIPList: [{ ip: "192.0.2.9" }], ports: [{ port: 8443, description: "proxy" }] },
};
const STATUS = { buildVersion: "1.2.3", os: "linux", arch: "amd64", cpuUsage: 0.5, load1m: 1.5, isActive: true };
const LOG = { isPrior: true, isOn: true, logMissingDomains: true };
const CHECK = { isOn: true, port: 443, timeoutSeconds: 3, countUp: 1, countDown: 2 };
const SET = { name: "any", actions: [{ code: "block", options: { statusCode: 403 } }] };
const API_ADDRESSES = [{ protocol: "https", host: "192.0.2.1", portRange: "8003" }];

function listen(protocol: string, portRange: string): JsonObject {
  return { isOn: true, listen: [{ protocol, portRange }] };
}

/** Calls operations with JSON. */
class Client {
  readonly #world: World;
  readonly #owned: Fields;

  constructor(world: World, owned: Fields) {
    this.#world = world;
    this.#owned = owned;
  }

  get ada(): TestCaller {
    return this.#world.ada;
  }

  /** Returns the id of an object of Ada. */
  owned(name: string): number {
    return Number(this.#owned[name]);
  }

  async post(path: string, body: JsonObject, caller: TestCaller = this.#world.admin): Promise<object> {
    const { code, data, message } = await this.#world.edgehelm.post(path, body, caller);
    if (code !== 200) throw new Error(`${path}: ${message}`);
    return data as object;
  }

  /** Creates an object. Returns its id, the only field of the response. */
  async create(path: string, body: JsonObject): Promise<number> {
    return Number(Object.values(await this.post(path, body))[0]);
  }
}

/**
 * Fills every setting that is stored as JSON.
 *
 * @param owned the fields that refer to the objects of Ada
 * @returns the fields that refer to the objects of the installation
 */
export async function fillSettings(world: World, owned: Fields): Promise<Fields> {
  const client = new Client(world, owned);
  const nodes = await fillNodes(client);
  const objects = {
    ...nodes,
    ...await fillPolicies(client),
    ...await fillDNS(client),
    ...await fillReportNodes(client),
    ...await fillSites(client, nodes.nodeClusterId, nodes.nodeId),
    ...await fillBusiness(client),
  };
  const ids = Object.entries(objects).map(([name, value]) => [name, BigInt(value)]);
  return { ...Object.fromEntries(ids), "findNodeClusterSystemService.type": "systemd" };
}

async function fillNodes(client: Client) {
  const cluster = { name: "json", systemServicesJSON: { systemd: { isOn: true } } };
  const nodeClusterId = await client.create("/NodeClusterService/createNodeCluster", cluster);
  const openToJSON = { userIds: [Number(client.ada.id)] };
  const settings = { name: "json", clockJSON: { autoSync: true }, sshParamsJSON: { port: 2222 }, openToJSON };
  await client.post("/NodeClusterService/updateNodeCluster", { nodeClusterId, ...settings });
  const serverConfig = { httpAll: { matchDomainStrictly: true }, tcpAll: { denyPorts: [25] }, log: {} };
  await client.post("/NodeClusterService/updateNodeClusterGlobalServerConfig", {
    nodeClusterId,
    globalServerConfigJSON: serverConfig,
  });
  await client.post("/NodeClusterService/updateNodeClusterDDoSProtection", {
    nodeClusterId,
    ddosProtectionJSON: PROTECTION,
  });

  const nodeRegionId = await client.create("/NodeRegionService/createNodeRegion", { name: "json" });
  const price = { name: "json", type: "traffic", bitsFrom: 0, bitsTo: 1000 };
  const nodeItemId = await client.create("/NodePriceItemService/createNodePriceItem", price);
  await client.post("/NodeRegionService/updateNodeRegionPrice", { nodeRegionId, nodeItemId, price: 0.5 });

  const nodeId = await client.create("/NodeService/createNode", { name: "json", nodeClusterId, nodeRegionId });
  const cache = { maxCacheDiskCapacity: SIZE, cacheDiskSubDirsJSON: [{ path: "/cache", capacity: SIZE }] };
  await client.post("/NodeService/updateNodeCache", { nodeId, ...cache });
  await client.post("/NodeService/updateNodeDDoSProtection", { nodeId, ddosProtectionJSON: PROTECTION });
  await client.post("/NodeService/updateNodeAPIConfig", { nodeId, apiNodeAddrsJSON: API_ADDRESSES });
  await client.post("/NodeService/updateNodeStatus", { statusJSON: STATUS }, as.node(BigInt(nodeId)));
  const address = { nodeId, role: "node", name: "json", ip: "192.0.2.7", canAccess: true, isUp: true };
  await client.post("/NodeIPAddressService/createNodeIPAddress", address);
  const log = { level: "error", tag: "json", description: "d", role: "node", paramsJSON: { serverId: 1 } };
  await client.post("/NodeLogService/createNodeLogs", { nodeLogs: [log] }, as.node(BigInt(nodeId)));

  const item = { category: "http", name: "hosts", keys: ["${host}"], period: 1, periodUnit: "day", isPublic: true };
  const metricItemId = await client.create("/MetricItemService/createMetricItem", {
    ...item,
    value: "${countRequest}",
  });
  const chart = { metricItemId, name: "top", type: "pie", paramsJSON: { unit: "kb" } };
  const metricChartId = await client.create("/MetricChartService/createMetricChart", chart);
  const apiNode = {
    name: "json",
    isOn: true,
    httpJSON: listen("http", "8001"),
    httpsJSON: listen("https", "8002"),
    restHTTPJSON: listen("http", "8003"),
    restHTTPSJSON: listen("https", "8004"),
    accessAddrsJSON: API_ADDRESSES,
  };
  const apiNodeId = await client.create("/APINodeService/createAPINode", apiNode);
  await client.post("/APINodeService/findCurrentAPINode", {});
  return { nodeClusterId, nodeRegionId, nodeId, metricItemId, metricChartId, apiNodeId };
}

async function fillPolicies(client: Client) {
  const options = { dir: "/opt/cache", minFreeSize: SIZE };
  const cache = { name: "json", isOn: true, type: "file", capacityJSON: SIZE, maxSizeJSON: SIZE };
  const httpCachePolicyId = await client.create("/HTTPCachePolicyService/createHTTPCachePolicy", {
    ...cache,
    optionsJSON: options,
    fetchTimeoutJSON: DURATION,
  });
  const condition = { type: "url-extension", param: "${requestPathExtension}", operator: "in", value: '[".css"]' };
  const refsJSON = [{ isOn: true, key: "${requestURI}", life: DURATION, status: [200], simpleCond: condition }];
  await client.post("/HTTPCachePolicyService/updateHTTPCachePolicyRefs", { httpCachePolicyId, refsJSON });

  const firewall = { name: "json", isOn: true };
  const httpFirewallPolicyId = await client.create(
    "/HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy",
    firewall,
  );
  await client.post("/HTTPFirewallPolicyService/updateHTTPFirewallPolicy", {
    httpFirewallPolicyId,
    ...firewall,
    mode: "defend",
    blockOptionsJSON: { statusCode: 403, body: "no", timeout: 60 },
    synFloodJSON: { isOn: true, minAttempts: 10 },
    LogJSON: { isOn: true, requestBody: true },
    captchaOptionsJSON: { life: 600, captchaType: "slide" },
    pageOptionsJSON: { status: 403, body: "no" },
    jsCookieOptionsJSON: { life: 600, scope: "global" },
  });
  const group = { name: "json", isOn: true };
  const groupId = await client.create(
    "/HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup",
    group,
  );
  const set = { firewallRuleGroupId: client.owned("firewallRuleGroupId"), firewallRuleSetConfigJSON: SET };
  await client.post("/HTTPFirewallRuleGroupService/addHTTPFirewallRuleGroupSet", set, client.ada);
  await client.post("/HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", {
    httpFirewallPolicyId,
    inboundJSON: { isOn: true, groupRefs: [{ isOn: true, groupId }], denyListRef: { isOn: false, listId: 0 } },
    outboundJSON: { isOn: true, groupRefs: [] },
  });
  return { httpCachePolicyId, httpFirewallPolicyId };
}

async function fillDNS(client: Client) {
  const dns = { name: "json", hosts: ["ns1.edge.test"], email: "dns@edge.test", accessLogJSON: LOG };
  const soaJSON = { rName: "admin@edge.test", minimumTTL: 60 };
  const openToJSON = { userIds: [Number(client.ada.id)] };
  const nsClusterId = await client.create("/NSClusterService/createNSCluster", { ...dns, soaJSON, openToJSON });
  const settings: Record<string, JsonObject> = {
    RecursionConfig: { recursionJSON: { isOn: true, hosts: [{ host: "192.0.2.53", port: 53 }] } },
    TCP: { tcpJSON: listen("tcp", "53") },
    TLS: { tlsJSON: listen("tls", "853") },
    UDP: { udpJSON: listen("udp", "53") },
    DoH: { dohJSON: { ...listen("https", "443"), path: "/dns-query" } },
    DDoSProtection: { ddosProtectionJSON: PROTECTION },
    AnswerConfig: { answerJSON: { mode: "roundRobin", maxSize: 3 } },
  };
  for (const [name, json] of Object.entries(settings)) {
    await client.post(`/NSClusterService/updateNSCluster${name}`, { nsClusterId, ...json });
  }
  const nsNodeId = await client.create("/NSNodeService/createNSNode", { name: "json", nodeClusterId: nsClusterId });
  await client.post("/NSNodeService/updateNSNodeDDoSProtection", { nsNodeId, ddosProtectionJSON: PROTECTION });
  await client.post("/NSNodeService/updateNSNodeAPIConfig", { nsNodeId, apiNodeAddrsJSON: API_ADDRESSES });
  await client.post("/NSNodeService/updateNSNodeStatus", { statusJSON: STATUS }, as.dns(BigInt(nsNodeId)));
  const nsDomainId = client.owned("nsDomainId");
  await client.post("/NSDomainService/updateNSDomainTSIG", { nsDomainId, tsigJSON: { isOn: true } });
  const check = { nsDomainId, nsDomainRecordsHealthCheckJSON: CHECK };
  await client.post("/NSDomainService/updateNSDomainRecordsHealthCheck", check);
  const record = { nsRecordId: client.owned("nsRecordId"), nsRecordHealthCheckJSON: CHECK };
  await client.post("/NSRecordService/updateNSRecordHealthCheck", record);
  return { nsClusterId, nsNodeId };
}

async function fillReportNodes(client: Client) {
  const reportNodeId = await client.create("/ReportNodeService/createReportNode", { name: "json" });
  const status = { ip: "192.0.2.8", os: "linux", buildVersion: "1.0.0", location: "Berlin" };
  await client.post(
    "/ReportNodeService/updateReportNodeStatus",
    { statusJSON: status },
    as.report(BigInt(reportNodeId)),
  );
  const settingJSON = { minNotifyConnectivity: 50 };
  await client.post("/ReportNodeService/updateReportNodeGlobalSetting", { settingJSON });
  return { reportNodeId };
}

async function fillSites(client: Client, nodeClusterId: number, nodeId: number) {
  const originId = client.owned("originId");
  await client.post("/OriginService/updateOrigin", {
    originId,
    isOn: true,
    addr: { protocol: "https", host: "192.0.2.4", portRange: "443" },
    connTimeoutJSON: DURATION,
    readTimeoutJSON: DURATION,
    idleTimeoutJSON: DURATION,
    certRefJSON: { isOn: true, certId: client.owned("sslCertId") },
    ossJSON: { type: "s3", options: { bucket: "b" } },
  }, client.ada);
  const reverseProxyId = client.owned("reverseProxyId");
  const originsJSON = [{ isOn: true, originId }];
  await client.post(
    "/ReverseProxyService/updateReverseProxyPrimaryOrigins",
    { reverseProxyId, originsJSON },
    client.ada,
  );
  await client.post(
    "/ReverseProxyService/updateReverseProxyBackupOrigins",
    { reverseProxyId, originsJSON },
    client.ada,
  );
  const proxy = { reverseProxyId, connTimeoutJSON: DURATION, proxyProtocolJSON: { isOn: true, version: 1 } };
  await client.post("/ReverseProxyService/updateReverseProxy", { ...proxy, readTimeoutJSON: DURATION }, client.ada);
  const site = { userId: Number(client.ada.id), nodeClusterId };
  const tcp = { tcpJSON: listen("tcp", "9000"), tlsJSON: listen("tls", "9001") };
  await client.post("/ServerService/createServer", { ...site, name: "tcp", type: "tcpProxy", ...tcp });
  const udp = { udpJSON: listen("udp", "9002") };
  await client.post("/ServerService/createServer", { ...site, name: "udp", type: "udpProxy", ...udp });
  const serverId = await client.create("/ServerService/createServer", {
    ...site,
    name: "json",
    type: "httpProxy",
    serverNamesJSON: [{ name: "json.example.com", type: "full" }],
    httpJSON: listen("http", "80"),
    httpsJSON: listen("https", "443"),
    reverseProxyJSON: { isOn: true, reverseProxyId },
    includeNodesJSON: [{ nodeId }],
  });
  return { serverId };
}

async function fillBusiness(client: Client) {
  const planId = await client.create("/PlanService/createPlan", {
    name: "json",
    priceType: "bandwidth",
    trafficLimitJSON: { isOn: true, dailySize: SIZE },
    featuresJSON: ["server.webp"],
    trafficPriceJSON: { base: 0.5 },
    bandwidthPriceJSON: { percentile: 95, ranges: [{ minMB: 0, maxMB: 0, pricePerMB: 1 }] },
    bandwidthLimitPerNodeJSON: SIZE,
    maxUploadSizeJSON: SIZE,
    quotasJSON: [{ name: "certificates", max: 5 }],
  });
  const admin = { username: "grace", password: "grace walks in the rain", fullname: "Grace", canLogin: true };
  const adminId = await client.create("/AdminService/createAdmin", {
    ...admin,
    modulesJSON: [{ code: "ns", allowAll: false, actions: ["read"] }],
  });
  const charge = { userAccountId: Number(client.ada.id), delta: 10, eventType: "charge", paramsJSON: { invoice: 1 } };
  await client.post("/UserAccountService/updateUserAccount", charge);
  const mail = { name: "json", mediaType: "email", paramsJSON: { smtp: "smtp.edge.test:465", from: "a@edge.test" } };
  const messageMediaInstanceId = await client.create("/MessageMediaInstanceService/createMessageMediaInstance", {
    ...mail,
    rateJSON: { minutes: 1, count: 5 },
  });
  return { adminId, planId, messageMediaInstanceId };
}
