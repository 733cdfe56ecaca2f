import { afterAll, beforeAll, expect, test } from "vitest";
import { certificateFile } from "../plugins/ssl_cert/certificates.ts";
import { type Day, openDay } from "./day_rig.ts";

let day: Day;
/** The ids of objects that are in use, by request field. */
const ids: Record<string, number> = {};
beforeAll(async () => {
  day = await openDay();
  await createObjects();
});
afterAll(() => day[Symbol.asyncDispose]());

async function create(path: string, request: object): Promise<void> {
  Object.assign(ids, await day.admin.post(path, request));
}

async function createObjects(): Promise<void> {
  const { userId } = await day.admin.post("UserService/createUser", { username: "ada", password: "walks in the rain" });
  await create("NodeGrantService/createNodeGrant", { name: "grant", method: "user", username: "root", password: "x" });
  await create("NodeClusterService/createNodeCluster", { name: "edge", nodeGrantId: ids.nodeGrantId });
  const { nodeClusterId } = ids;
  const policy = { name: "policy", isOn: true };
  await create("HTTPCachePolicyService/createHTTPCachePolicy", { ...policy, type: "memory" });
  await create("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", policy);
  for (const kind of ["Cache", "Firewall"]) {
    const id = `http${kind}PolicyId`;
    const request = { nodeClusterId, [id]: ids[id] };
    await day.admin.post(`NodeClusterService/updateNodeClusterHTTP${kind}PolicyId`, request);
  }
  await create("NodePriceItemService/createNodePriceItem", { name: "item", type: "traffic", bitsFrom: 0, bitsTo: 0 });
  await create("NodeRegionService/createNodeRegion", { name: "region" });
  const { nodeRegionId, NodePriceItemId: nodeItemId } = ids;
  await day.admin.post("NodeRegionService/updateNodeRegionPrice", { nodeRegionId, nodeItemId, price: 0.1 });
  const nodeLogin = { type: "ssh", params: { host: "192.0.2.1", port: 22, grantId: ids.nodeGrantId } };
  await create("NodeService/createNode", {
    name: "node",
    nodeClusterId,
    nodeRegionId,
    nodeLogin: withEncodedParams(nodeLogin),
  });
  await create("TrafficPackageService/createTrafficPackage", { size: 1, unit: "tb" });
  await create("TrafficPackagePeriodService/createTrafficPackagePeriod", { count: 1, unit: "month" });
  const { trafficPackageId, trafficPackagePeriodId } = ids;
  const price = { trafficPackageId, nodeRegionId, trafficPackagePeriodId, price: 9 };
  await day.admin.post("TrafficPackagePriceService/updateTrafficPackagePrice", price);
  await create("PlanService/createPlan", {
    name: "plan",
    priceType: "traffic",
    trafficPriceJSON: { base: 1 },
    clusterId: nodeClusterId,
  });
  const plan = { userId, planId: ids.planId, dayTo: "2030-01-01", name: "bought" };
  await create("UserPlanService/buyUserPlan", plan);
  const site = { type: "httpProxy", nodeClusterId, userId, userPlanId: ids.userPlanId };
  await create("ServerService/createServer", { ...site, name: "site" });
  await create("MetricItemService/createMetricItem", {
    ...{ code: "m", category: "http", name: "metric", keys: ["${host}"], period: 1, periodUnit: "day" },
    value: "${countRequest}",
  });
  const { metricItemId } = ids;
  await day.admin.post("NodeClusterMetricItemService/enableNodeClusterMetricItem", { nodeClusterId, metricItemId });
  await create("MetricChartService/createMetricChart", { metricItemId, name: "chart", type: "pie" });
  const pem = (name: string) => btoa(new TextDecoder("latin1").decode(certificateFile(name)));
  await create("SSLCertService/createSSLCert", { certData: pem("rsa.pem"), keyData: pem("rsa_pkcs8.key") });
  const addr = { protocol: "https", host: "198.51.100.1", portRange: "443" };
  const certRefJSON = { isOn: true, certId: ids.sslCertId };
  await create("OriginService/createOrigin", { name: "origin", addr, certRefJSON });
  await create("NSClusterService/createNSCluster", { name: "dns", hosts: ["ns1.edge.test"] });
  const { nsClusterId } = ids;
  await create("NSNodeService/createNSNode", {
    ...{ name: "ns", nodeClusterId: nsClusterId, nodeLogin: withEncodedParams(nodeLogin) },
  });
  await create("NSDomainGroupService/createNSDomainGroup", { name: "group" });
  const nsDomainGroupIds = [ids.nsDomainGroupId];
  await create("NSDomainService/createNSDomain", { nsClusterId, name: "in-use.example", nsDomainGroupIds });
  await create("NSRouteService/createNSRoute", {
    ...{ nsClusterId, name: "route", rangesJSON: [{ type: "cidr", params: { cidr: "192.0.2.0/24" } }] },
  });
  const record = { nsDomainId: ids.nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
  await create("NSRecordService/createNSRecord", { ...record, nsRouteCodes: [`id:${ids.nsRouteId}`] });
  await create("ReportNodeGroupService/createReportNodeGroup", { name: "terminals" });
  const reportNodeGroupIds = [ids.reportNodeGroupId];
  await create("ReportNodeService/createReportNode", { name: "terminal", reportNodeGroupIds });
  await create("MessageMediaInstanceService/createMessageMediaInstance", {
    ...{ name: "hook", mediaType: "webHook", paramsJSON: { url: "https://hook.test/" } },
  });
  await create("MessageRecipientGroupService/createMessageRecipientGroup", { name: "on call" });
  await create("AdminService/createAdmin", { username: "ops", password: "walks in the rain", fullname: "Ops" });
  await create("MessageRecipientService/createMessageRecipient", {
    ...{ adminId: ids.adminId, messageMediaInstanceId: ids.messageMediaInstanceId, user: "ops" },
    messageRecipientGroupIds: [ids.messageRecipientGroupId],
  });
}

/** Encodes the parameters of a login as base64, since only fields whose name ends in JSON accept objects. */
function withEncodedParams(login: { readonly params: object }): object {
  return { ...login, params: btoa(JSON.stringify(login.params)) };
}

test.each([
  ["NodeGrantService/disableNodeGrant", "nodeGrantId", ['cluster "edge"', 'node "node"', 'DNS node "ns"']],
  ["NodeClusterService/deleteNodeCluster", "nodeClusterId", ['node "node"', 'server "site"', 'plan "plan"']],
  ["HTTPCachePolicyService/deleteHTTPCachePolicy", "httpCachePolicyId", ['cluster "edge"']],
  ["HTTPFirewallPolicyService/deleteHTTPFirewallPolicy", "httpFirewallPolicyId", ['cluster "edge"']],
  ["NodePriceItemService/deleteNodePriceItem", "NodePriceItemId", ['region "region"']],
  ["NodeRegionService/deleteNodeRegion", "nodeRegionId", ['node "node"', "price of 1 tb"]],
  ["TrafficPackageService/deleteTrafficPackage", "trafficPackageId", ["price of"]],
  ["TrafficPackagePeriodService/deleteTrafficPackagePeriod", "trafficPackagePeriodId", ["price of"]],
  ["PlanService/deletePlan", "planId", ['user plan "bought"']],
  ["UserPlanService/deleteUserPlan", "userPlanId", ['site "site"']],
  ["MetricItemService/deleteMetricItem", "metricItemId", ['node cluster "edge"', 'chart "chart"']],
  ["SSLCertService/deleteSSLCert", "sslCertId", ['origin "origin"']],
  ["NSClusterService/deleteNSCluster", "nsClusterId", ['domain "in-use.example"', 'node "ns"']],
  ["NSDomainGroupService/deleteNSDomainGroup", "nsDomainGroupId", ['domain "in-use.example"']],
  ["NSRouteService/deleteNSRoute", "nsRouteId", ['record "www A" of domain "in-use.example"']],
  ["ReportNodeGroupService/deleteReportNodeGroup", "reportNodeGroupId", ['report node "terminal"']],
  ["MessageMediaInstanceService/deleteMessageMediaInstance", "messageMediaInstanceId", ['"ops"']],
  ["MessageRecipientGroupService/deleteMessageRecipientGroup", "messageRecipientGroupId", ['"ops"']],
])("%s is refused with the names of the objects that use it", async (path, field, names) => {
  const { code, reason, message } = await day.admin.error(path, { [field]: ids[field] });
  expect([code, reason]).toEqual([409, expect.stringMatching(/\.in_use$/)]);
  for (const name of names) expect(message).toContain(name);
});
