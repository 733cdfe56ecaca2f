import { afterAll, beforeAll, expect, test } from "vitest";
import { certificateFile } from "../plugins/ssl_cert/certificates.ts";
import { type Day, openDay } from "./day_rig.ts";

let day: Day;
/** Ids of one of everything, each in use by another; by the field that names it. */
const made: Record<string, number> = {};
beforeAll(async () => {
  day = await openDay();
  await makeEverything();
});
afterAll(() => day[Symbol.asyncDispose]());

async function make(path: string, request: object): Promise<void> {
  Object.assign(made, await day.admin.post(path, request));
}

async function makeEverything(): Promise<void> {
  const { userId } = await day.admin.post("UserService/createUser", { username: "ada", password: "walks in the rain" });
  await make("NodeGrantService/createNodeGrant", { name: "grant", method: "user", username: "root", password: "x" });
  await make("NodeClusterService/createNodeCluster", { name: "edge", nodeGrantId: made.nodeGrantId });
  const { nodeClusterId } = made;
  const policy = { name: "policy", isOn: true };
  await make("HTTPCachePolicyService/createHTTPCachePolicy", { ...policy, type: "memory" });
  await make("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", policy);
  for (const kind of ["Cache", "Firewall"]) {
    const id = `http${kind}PolicyId`;
    const request = { nodeClusterId, [id]: made[id] };
    await day.admin.post(`NodeClusterService/updateNodeClusterHTTP${kind}PolicyId`, request);
  }
  await make("NodePriceItemService/createNodePriceItem", { name: "item", type: "traffic", bitsFrom: 0, bitsTo: 0 });
  await make("NodeRegionService/createNodeRegion", { name: "region" });
  const { nodeRegionId, NodePriceItemId: nodeItemId } = made;
  await day.admin.post("NodeRegionService/updateNodeRegionPrice", { nodeRegionId, nodeItemId, price: 0.1 });
  const nodeLogin = { type: "ssh", params: { host: "192.0.2.1", port: 22, grantId: made.nodeGrantId } };
  await make("NodeService/createNode", { name: "node", nodeClusterId, nodeRegionId, nodeLogin: packed(nodeLogin) });
  await make("TrafficPackageService/createTrafficPackage", { size: 1, unit: "tb" });
  await make("TrafficPackagePeriodService/createTrafficPackagePeriod", { count: 1, unit: "month" });
  const { trafficPackageId, trafficPackagePeriodId } = made;
  const price = { trafficPackageId, nodeRegionId, trafficPackagePeriodId, price: 9 };
  await day.admin.post("TrafficPackagePriceService/updateTrafficPackagePrice", price);
  await make("PlanService/createPlan", {
    name: "plan",
    priceType: "traffic",
    trafficPriceJSON: { base: 1 },
    clusterId: nodeClusterId,
  });
  const plan = { userId, planId: made.planId, dayTo: "2030-01-01", name: "bought" };
  await make("UserPlanService/buyUserPlan", plan);
  const site = { type: "httpProxy", nodeClusterId, userId, userPlanId: made.userPlanId };
  await make("ServerService/createServer", { ...site, name: "site" });
  await make("MetricItemService/createMetricItem", {
    ...{ code: "m", category: "http", name: "metric", keys: ["${host}"], period: 1, periodUnit: "day" },
    value: "${countRequest}",
  });
  const { metricItemId } = made;
  await day.admin.post("NodeClusterMetricItemService/enableNodeClusterMetricItem", { nodeClusterId, metricItemId });
  await make("MetricChartService/createMetricChart", { metricItemId, name: "chart", type: "pie" });
  const pem = (name: string) => btoa(new TextDecoder("latin1").decode(certificateFile(name)));
  await make("SSLCertService/createSSLCert", { certData: pem("rsa.pem"), keyData: pem("rsa_pkcs8.key") });
  const addr = { protocol: "https", host: "10.0.0.1", portRange: "443" };
  const certRefJSON = { isOn: true, certId: made.sslCertId };
  await make("OriginService/createOrigin", { name: "origin", addr, certRefJSON });
  await make("NSClusterService/createNSCluster", { name: "dns", hosts: ["ns1.edge.test"] });
  const { nsClusterId } = made;
  await make("NSNodeService/createNSNode", {
    ...{ name: "ns", nodeClusterId: nsClusterId, nodeLogin: packed(nodeLogin) },
  });
  await make("NSDomainGroupService/createNSDomainGroup", { name: "group" });
  const nsDomainGroupIds = [made.nsDomainGroupId];
  await make("NSDomainService/createNSDomain", { nsClusterId, name: "in-use.example", nsDomainGroupIds });
  await make("NSRouteService/createNSRoute", {
    ...{ nsClusterId, name: "route", rangesJSON: [{ type: "cidr", params: { cidr: "192.0.2.0/24" } }] },
  });
  const record = { nsDomainId: made.nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
  await make("NSRecordService/createNSRecord", { ...record, nsRouteCodes: [`id:${made.nsRouteId}`] });
  await make("ReportNodeGroupService/createReportNodeGroup", { name: "terminals" });
  const reportNodeGroupIds = [made.reportNodeGroupId];
  await make("ReportNodeService/createReportNode", { name: "terminal", reportNodeGroupIds });
  await make("MessageMediaInstanceService/createMessageMediaInstance", {
    ...{ name: "hook", mediaType: "webHook", paramsJSON: { url: "https://hook.test/" } },
  });
  await make("MessageRecipientGroupService/createMessageRecipientGroup", { name: "on call" });
  await make("AdminService/createAdmin", { username: "ops", password: "walks in the rain", fullname: "Ops" });
  await make("MessageRecipientService/createMessageRecipient", {
    ...{ adminId: made.adminId, messageMediaInstanceId: made.messageMediaInstanceId, user: "ops" },
    messageRecipientGroupIds: [made.messageRecipientGroupId],
  });
}

/** With its parameters as base64, since only fields named JSON take objects. */
function packed(login: { readonly params: object }): object {
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
])("%s is refused with the names of what uses it", async (path, field, names) => {
  const { code, reason, message } = await day.admin.refused(path, { [field]: made[field] });
  expect([code, reason]).toEqual([409, expect.stringMatching(/\.in_use$/)]);
  for (const name of names) expect(message).toContain(name);
});
