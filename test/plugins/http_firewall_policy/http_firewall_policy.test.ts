import { as } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HTTPFirewallPolicyService } from "../../../plugins/http_firewall_policy/proto/service_http_firewall_policy_pb.ts";
import { HTTPFirewallRuleGroupService } from "../../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import { HTTPFirewallRuleSetService } from "../../../plugins/http_firewall_rule_set/proto/service_http_firewall_rule_set_pb.ts";
import { bytes, type FirewallRig, firewallRig, json } from "./firewall_rig.ts";

const rpc = HTTPFirewallPolicyService.method;
const admin = as.admin();

let rig: FirewallRig;
beforeAll(async () => {
  rig = await firewallRig();
});
afterAll(() => rig.edgehelm[Symbol.asyncDispose]());
beforeEach(() => {
  rig.policyOfCluster.clear();
  rig.changedClusters.length = 0;
  rig.changedServers.length = 0;
});

async function create(name: string, overrides: object = {}): Promise<bigint> {
  const request = { name, isOn: true, ...overrides };
  return (await rig.edgehelm.call(admin, rpc.createEmptyHTTPFirewallPolicy, request)).httpFirewallPolicyId;
}

async function createGroup(name: string): Promise<bigint> {
  const { createHTTPFirewallRuleGroup } = HTTPFirewallRuleGroupService.method;
  return (await rig.edgehelm.call(admin, createHTTPFirewallRuleGroup, { name, isOn: true })).firewallRuleGroupId;
}

async function configOf(httpFirewallPolicyId: bigint) {
  const response = await rig.edgehelm.call(admin, rpc.findEnabledHTTPFirewallPolicyConfig, { httpFirewallPolicyId });
  return json(response.httpFirewallPolicyJSON);
}

test("an admin creates a policy, assigns it to a cluster, updates and deletes it", async () => {
  const request = { isOn: true, name: "main", httpFirewallGroupCodes: ["xss", "sqlInjection"] };
  const { httpFirewallPolicyId } = await rig.edgehelm.call(admin, rpc.createHTTPFirewallPolicy, request);
  const switches = async () =>
    (await configOf(httpFirewallPolicyId)).inbound.groups
      .map(({ code, isOn }: { code: string; isOn: boolean }) => `${code} ${isOn ? "on" : "off"}`);
  expect(await switches()).toEqual(["xss on", "sqlInjection on", "upload off", "lfi off"]);
  const { inbound: { groups: [xss] }, outbound, mode } = await configOf(httpFirewallPolicyId);
  expect(xss).toMatchObject({
    isTemplate: true,
    sets: [{
      isOn: true,
      actions: [{ code: "block" }],
      rules: [{ isOn: true, param: "${requestAll}", operator: "contains xss" }],
    }],
  });
  expect(outbound).toEqual({ isOn: true, groupRefs: [], groups: [] });
  expect(mode).toBe("defend");

  rig.policyOfCluster.set(3n, httpFirewallPolicyId);
  await rig.edgehelm.call(admin, rpc.updateHTTPFirewallPolicy, {
    httpFirewallPolicyId,
    isOn: true,
    name: "watching",
    firewallGroupCodes: ["lfi"],
    mode: "observe",
    blockOptionsJSON: bytes({ statusCode: 403, body: "no", timeout: 60 }),
    synFloodJSON: bytes({ isOn: true, minAttempts: 10 }),
    LogJSON: bytes({ isOn: true, requestBody: true }),
    maxRequestBodySize: 4096n,
  });
  expect(rig.changedClusters).toEqual([3n]);
  expect(await switches()).toEqual(["xss off", "sqlInjection off", "upload off", "lfi on"]);
  expect(await configOf(httpFirewallPolicyId)).toMatchObject({
    name: "watching",
    mode: "observe",
    blockOptions: { statusCode: 403, body: "no", timeout: 60, timeoutMax: 0, url: "", scope: "" },
    synFlood: { isOn: true, minAttempts: 10, timeoutSeconds: 0, ignoreLocal: false },
    log: { isOn: true, requestBody: true, regionDenying: false },
    maxRequestBodySize: 4096,
  });

  await expect(rig.edgehelm.call(admin, rpc.deleteHTTPFirewallPolicy, { httpFirewallPolicyId })).rejects.toMatchObject({
    code: 409,
    reason: "http_firewall_policy.in_use",
    message: `firewall policy ${httpFirewallPolicyId} is used by cluster "cluster 3"`,
  });
  rig.policyOfCluster.clear();
  await rig.edgehelm.call(admin, rpc.deleteHTTPFirewallPolicy, { httpFirewallPolicyId });
  expect(await configOf(httpFirewallPolicyId)).toBeUndefined();
  await expect(rig.edgehelm.call(admin, rpc.deleteHTTPFirewallPolicy, { httpFirewallPolicyId }))
    .rejects.toMatchObject({ code: 404, reason: "http_firewall_policy.not_found" });
});

describe("groups", () => {
  test("are assigned to requests and responses, and expanded in order", async () => {
    const httpFirewallPolicyId = await create("groups");
    const [one, two, out] = [await createGroup("one"), await createGroup("two"), await createGroup("out")];
    const inboundJSON = bytes({
      isOn: true,
      groupRefs: [{ isOn: false, groupId: Number(two) }, { isOn: true, groupId: Number(one) }],
      denyListRef: { isOn: true, listId: 12 },
    });
    const outboundJSON = bytes({ isOn: false, groupRefs: [{ isOn: true, groupId: Number(out) }] });
    const request = { httpFirewallPolicyId, inboundJSON, outboundJSON };
    await rig.edgehelm.call(admin, rpc.updateHTTPFirewallPolicyGroups, request);
    expect(await configOf(httpFirewallPolicyId)).toMatchObject({
      inbound: {
        isOn: true,
        groupRefs: [{ isOn: false, groupId: Number(two) }, { isOn: true, groupId: Number(one) }],
        groups: [{ name: "two" }, { name: "one" }],
        denyListRef: { isOn: true, listId: 12 },
        publicAllowListRefs: [],
      },
      outbound: { isOn: false, groups: [{ name: "out" }] },
    });
    await rig.edgehelm.call(admin, rpc.updateHTTPFirewallInboundConfig, {
      httpFirewallPolicyId,
      inboundJSON: bytes({ isOn: true }),
    });
    expect(await configOf(httpFirewallPolicyId)).toMatchObject({
      inbound: { groupRefs: [] },
      outbound: { groups: [{ name: "out" }] },
    });
    const { httpFirewallPolicy } = await rig.edgehelm.call(admin, rpc.findEnabledHTTPFirewallPolicy, {
      httpFirewallPolicyId,
    });
    expect(httpFirewallPolicy).toMatchObject({ id: httpFirewallPolicyId, name: "groups", mode: "defend" });
    expect(httpFirewallPolicy?.outboundJSON).toEqual(outboundJSON);
  });

  test("mark the clusters of every policy that contains them for update when one of their sets changes", async () => {
    const [one, other] = [await create("one"), await create("other")];
    const firewallRuleGroupId = await createGroup("shared");
    const inboundJSON = bytes({ isOn: true, groupRefs: [{ isOn: true, groupId: Number(firewallRuleGroupId) }] });
    await rig.edgehelm.call(admin, rpc.updateHTTPFirewallInboundConfig, { httpFirewallPolicyId: one, inboundJSON });
    rig.policyOfCluster.set(1n, one).set(2n, other).set(3n, one);
    const rules = [{ param: "${requestPath}", operator: "prefix", value: "/" }];
    await rig.edgehelm.call(admin, HTTPFirewallRuleGroupService.method.addHTTPFirewallRuleGroupSet, {
      firewallRuleGroupId,
      firewallRuleSetConfigJSON: bytes({ name: "set", rules }),
    });
    expect(rig.changedClusters).toEqual([1n, 3n]);
    const [{ setId }] = (await configOf(one)).inbound.groups[0].setRefs;
    await rig.edgehelm.call(admin, HTTPFirewallRuleSetService.method.updateHTTPFirewallRuleSetIsOn, {
      firewallRuleSetId: BigInt(setId),
      isOn: true,
    });
    expect(rig.changedClusters).toEqual([1n, 3n, 1n, 3n]);
  });
});

test("a policy that belongs to a server is not listed, and its changes mark the server for update", async () => {
  const httpFirewallPolicyId = await create("of a site", { serverId: 5n });
  const { httpFirewallPolicies } = await rig.edgehelm.call(admin, rpc.listEnabledHTTPFirewallPolicies, {
    keyword: "of a site",
  });
  expect(httpFirewallPolicies).toEqual([]);
  const { serverId } = await rig.edgehelm.call(admin, rpc.findServerIdWithHTTPFirewallPolicyId, {
    httpFirewallPolicyId,
  });
  expect(serverId).toBe(5n);
  await rig.edgehelm.call(admin, rpc.updateHTTPFirewallPolicy, { httpFirewallPolicyId, name: "of a site" });
  expect(rig.changedServers).toEqual([5n]);
  await expect(create("of no site", { serverId: 6n })).rejects.toMatchObject({ code: 400 });
});

test("the owner of a site can change the groups of its policy, other users cannot", async () => {
  const httpFirewallPolicyId = await create("of a site", { serverId: 5n });
  const firewallRuleGroupId = await createGroup("of the site");
  const { updateHTTPFirewallRuleGroupIsOn } = HTTPFirewallRuleGroupService.method;
  const turnOff = (userId: bigint) =>
    rig.edgehelm.call(as.user(userId), updateHTTPFirewallRuleGroupIsOn, { firewallRuleGroupId, isOn: false });
  await expect(turnOff(7n)).rejects.toMatchObject({ code: 404 });
  const inboundJSON = bytes({ isOn: true, groupRefs: [{ isOn: true, groupId: Number(firewallRuleGroupId) }] });
  await rig.edgehelm.call(admin, rpc.updateHTTPFirewallInboundConfig, { httpFirewallPolicyId, inboundJSON });
  await turnOff(7n);
  expect((await configOf(httpFirewallPolicyId)).inbound.groups[0].isOn).toBe(false);
  await expect(turnOff(8n)).rejects.toMatchObject({ code: 404 });
});

test("clusters can only use a policy that exists, and their nodes receive its complete configuration", async () => {
  const { edgehelm, policyOfCluster, policyChecks: [check], parts: [part] } = rig;
  const call = edgehelm.kernel.systemCall("test");
  const policyId = await create("of a cluster");
  await check!.requirePolicy(call, "httpFirewallPolicyId", policyId);
  await expect(check!.requirePolicy(call, "httpFirewallPolicyId", 999n))
    .rejects.toThrow("httpFirewallPolicyId: firewall policy 999 does not exist");
  policyOfCluster.set(4n, policyId);
  expect(part?.name).toBe("httpFirewallPolicies");
  const text = await part!.compose(call, { id: 1n, clusterIds: [3n, 4n] });
  expect(JSON.parse(text!)).toEqual([await configOf(policyId)]);
});

describe("invalid requests are refused", () => {
  test.each([
    ["createHTTPFirewallPolicy", { name: "" }, "name: must not be empty"],
    [
      "createHTTPFirewallPolicy",
      { name: "a", httpFirewallGroupCodes: ["cc"] },
      "httpFirewallGroupCodes[0]: must be one of xss",
    ],
    ["updateHTTPFirewallPolicy", { name: "a", mode: "attack" }, "mode: must be one of defend, observe, bypass"],
    ["updateHTTPFirewallPolicy", { name: "a", LogJSON: { isOn: 1 } }, "LogJSON.isOn: expected true or false"],
    [
      "updateHTTPFirewallPolicy",
      { name: "a", blockOptionsJSON: { statusCode: 9 } },
      "blockOptionsJSON.statusCode: must be 0 or",
    ],
    [
      "updateHTTPFirewallPolicy",
      { name: "a", captchaOptionsJSON: { captchaType: "x" } },
      "captchaOptionsJSON.captchaType: must",
    ],
    [
      "updateHTTPFirewallPolicyGroups",
      { inboundJSON: { groupRefs: [{ groupId: 999 }] } },
      "inboundJSON.groupRefs[0].groupId: rule group 999 does not exist",
    ],
    ["updateHTTPFirewallPolicyGroups", { outboundJSON: [] }, "outboundJSON: expected a JSON object"],
    [
      "updateHTTPFirewallInboundConfig",
      { inboundJSON: { allowListRef: { isOn: true } } },
      "inboundJSON.allowListRef.listId: must be",
    ],
  ])("%s %j", async (operation, request, message) => {
    const httpFirewallPolicyId = Number(await create("refusing"));
    const response = await rig.edgehelm.post(
      `/HTTPFirewallPolicyService/${operation}`,
      { httpFirewallPolicyId, ...request },
      admin,
    );
    expect(response).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("policies are listed, filtered and counted", async () => {
  await using fresh = await freshRig();
  const { edgehelm, policyOfCluster } = fresh.rig;
  const ids: bigint[] = [];
  for (const name of ["East", "west", "Northwest"]) {
    ids.push((await edgehelm.call(admin, rpc.createEmptyHTTPFirewallPolicy, { name })).httpFirewallPolicyId);
  }
  policyOfCluster.set(9n, ids[1]!);
  const namesOf = async (request: object) => {
    const { httpFirewallPolicies } = await edgehelm.call(admin, rpc.listEnabledHTTPFirewallPolicies, request);
    const { count } = await edgehelm.call(admin, rpc.countAllEnabledHTTPFirewallPolicies, request);
    expect(count).toBe(BigInt(httpFirewallPolicies.length));
    return httpFirewallPolicies.map(({ name }) => name);
  };
  expect(await namesOf({})).toEqual(["Northwest", "west", "East"]);
  expect(await namesOf({ keyword: "WEST" })).toEqual(["Northwest", "west"]);
  expect(await namesOf({ nodeClusterId: 9n })).toEqual(["west"]);
  expect(await namesOf({ nodeClusterId: 9n, keyword: "east" })).toEqual([]);
  expect(await namesOf({ nodeClusterId: 8n })).toEqual([]);
  const { httpFirewallPolicies } = await edgehelm.call(admin, rpc.listEnabledHTTPFirewallPolicies, {
    offset: 1n,
    size: 1n,
  });
  expect(httpFirewallPolicies.map(({ name }) => name)).toEqual(["west"]);
  const { firewallPolicies } = await edgehelm.call(admin, rpc.findAllEnabledHTTPFirewallPolicies, {});
  expect(firewallPolicies.map(({ id }) => id)).toEqual([...ids].reverse());
});

async function freshRig(): Promise<AsyncDisposable & { rig: FirewallRig }> {
  const rig = await firewallRig();
  return { rig, [Symbol.asyncDispose]: () => rig.edgehelm[Symbol.asyncDispose]() };
}
