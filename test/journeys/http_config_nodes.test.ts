import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import cachePolicies from "../../plugins/http_cache_policy/plugin.ts";
import firewallPolicies from "../../plugins/http_firewall_policy/plugin.ts";
import firewallGroups from "../../plugins/http_firewall_rule_group/plugin.ts";
import firewallSets from "../../plugins/http_firewall_rule_set/plugin.ts";
import nodeClusters from "../../plugins/node_cluster/plugin.ts";
import nodes from "../../plugins/node/plugin.ts";
import nodeBase from "../../plugins/node_base/plugin.ts";
import origins from "../../plugins/origin/plugin.ts";
import proxies from "../../plugins/reverse_proxy/plugin.ts";
import servers from "../../plugins/server/plugin.ts";
import users from "../../plugins/user/plugin.ts";

const admin = as.admin();

let edgehelm: TestKernel;
beforeAll(async () => {
  const http = [cachePolicies, firewallPolicies, firewallGroups, firewallSets, origins, proxies];
  edgehelm = await testKernel({ plugins: [...http, nodeClusters, nodes, nodeBase, servers, users] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Returns the data of a call that must succeed. */
// deno-lint-ignore no-explicit-any -- each operation has its own shape of data
async function post(path: string, request: object, caller = admin): Promise<any> {
  const { code, message, data } = await edgehelm.post(path, request, caller);
  expect({ path, code, message }).toEqual({ path, code: 200, message: "ok" });
  return data;
}

async function configOf(nodeId: number) {
  const { nodeJSON } = await post("/NodeService/findCurrentNodeConfig", {}, as.node(BigInt(nodeId)));
  return JSON.parse(atob(nodeJSON));
}

test("changes of policies reach the nodes of the clusters that use them", async () => {
  const { nodeClusterId } = await post("/NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const { nodeId } = await post("/NodeService/createNode", { name: "fra-1", nodeClusterId });
  const cache = await post("/HTTPCachePolicyService/createHTTPCachePolicy", { name: "c", isOn: true, type: "memory" });
  const { httpCachePolicyId } = cache;
  await post("/NodeClusterService/updateNodeClusterHTTPCachePolicyId", { nodeClusterId, httpCachePolicyId });
  const create = { name: "w", isOn: true, httpFirewallGroupCodes: ["xss"] };
  const { httpFirewallPolicyId } = await post("/HTTPFirewallPolicyService/createHTTPFirewallPolicy", create);
  await post("/NodeClusterService/updateNodeClusterHTTPFirewallPolicyId", { nodeClusterId, httpFirewallPolicyId });

  const before = await configOf(nodeId);
  expect(before.httpCachePolicies).toMatchObject([{ id: httpCachePolicyId, name: "c", cacheRefs: [{ isOn: true }] }]);
  const [firewall] = before.httpFirewallPolicies;
  expect(firewall).toMatchObject({
    id: httpFirewallPolicyId,
    inbound: { groups: [{ code: "xss", isOn: true }, {}, {}, {}] },
  });

  await post("/HTTPCachePolicyService/updateHTTPCachePolicyRefs", { httpCachePolicyId, refsJSON: [] });
  const withoutRefs = await configOf(nodeId);
  expect(withoutRefs.httpCachePolicies).toMatchObject([{ cacheRefs: [] }]);
  expect(withoutRefs.version).toBeGreaterThan(before.version);

  const [{ id: firewallRuleSetId }] = firewall.inbound.groups[0].sets;
  await post("/HTTPFirewallRuleSetService/updateHTTPFirewallRuleSetIsOn", { firewallRuleSetId, isOn: false });
  const updated = await configOf(nodeId);
  expect(updated.httpFirewallPolicies[0].inbound.groups[0].sets[0].isOn).toBe(false);
  expect(updated.version).toBeGreaterThan(withoutRefs.version);
});

test("a change of an origin reaches the cluster of the site whose reverse proxy uses it", async () => {
  const { nodeClusterId } = await post("/NodeClusterService/createNodeCluster", { name: "Paris" });
  const { nodeId } = await post("/NodeService/createNode", { name: "par-1", nodeClusterId });
  const { userId } = await post("/UserService/createUser", { username: "ada", password: "ada walks in the rain" });
  const ada = as.user(BigInt(userId));
  const addr = { protocol: "http", host: "198.51.100.1", portRange: "80" };
  const { originId } = await post("/OriginService/createOrigin", { addr }, ada);
  const primaryOriginsJSON = [{ isOn: true, originId }];
  const { reverseProxyId } = await post("/ReverseProxyService/createReverseProxy", { primaryOriginsJSON }, ada);
  const site = { type: "httpProxy", nodeClusterId, userId, reverseProxyJSON: { isOn: true, reverseProxyId } };
  await post("/ServerService/createServer", { name: "site", ...site });
  const { version } = await configOf(nodeId);
  await post("/OriginService/updateOriginIsOn", { originId, isOn: true }, ada);
  expect((await configOf(nodeId)).version).toBeGreaterThan(version);
  expect(await edgehelm.post("/ServerService/createServer", { ...site, userId: 0, name: "foreign" }, admin))
    .toMatchObject({ code: 400, message: expect.stringContaining("belongs to another owner") });
});

test("a policy in use cannot be deleted, and a cluster can only use a policy that exists", async () => {
  const { nodeClusterId } = await post("/NodeClusterService/createNodeCluster", { name: "Oslo" });
  const { httpCachePolicyId } = await post("/HTTPCachePolicyService/createHTTPCachePolicy", {
    name: "o",
    type: "memory",
  });
  const use = "/NodeClusterService/updateNodeClusterHTTPCachePolicyId";
  await post(use, { nodeClusterId, httpCachePolicyId });
  const remove = "/HTTPCachePolicyService/deleteHTTPCachePolicy";
  expect(await edgehelm.post(remove, { httpCachePolicyId }, admin))
    .toMatchObject({ code: 409, message: `cache policy ${httpCachePolicyId} is used by cluster "Oslo"` });
  expect(await edgehelm.post(use, { nodeClusterId, httpCachePolicyId: 999 }, admin)).toMatchObject({ code: 400 });
  await post(use, { nodeClusterId, httpCachePolicyId: 0 });
  await post(remove, { httpCachePolicyId });
});
