import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { HTTPFirewallRuleGroupService } from "../../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import { HTTPFirewallRuleSetService } from "../../../plugins/http_firewall_rule_set/proto/service_http_firewall_rule_set_pb.ts";
import { bytes } from "./firewall_rig.ts";
import { admin, configOf, create, createGroup, rig, rpc, useRig } from "./policy_rig.ts";

useRig();

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

test("the built-in groups of a site's policy, with their sets, belong to the owner of the site", async () => {
  const request = { name: "of a site", serverId: 5n, httpFirewallGroupCodes: ["xss"] };
  const { httpFirewallPolicyId } = await rig.edgehelm.call(admin, rpc.createHTTPFirewallPolicy, request);
  const [group] = (await configOf(httpFirewallPolicyId)).inbound.groups;
  const ada = as.user(7n);
  const { updateHTTPFirewallRuleGroupIsOn } = HTTPFirewallRuleGroupService.method;
  const firewallRuleGroupId = BigInt(group.id);
  await rig.edgehelm.call(ada, updateHTTPFirewallRuleGroupIsOn, { firewallRuleGroupId, isOn: false });
  const { updateHTTPFirewallRuleSetIsOn } = HTTPFirewallRuleSetService.method;
  const firewallRuleSetId = BigInt(group.sets[0].id);
  await rig.edgehelm.call(ada, updateHTTPFirewallRuleSetIsOn, { firewallRuleSetId, isOn: false });
  expect((await configOf(httpFirewallPolicyId)).inbound.groups[0]).toMatchObject({
    isOn: false,
    sets: [{ isOn: false }],
  });
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
