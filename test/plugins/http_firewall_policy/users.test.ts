import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { HTTPFirewallRuleGroupService } from "../../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import { bytes, json } from "./firewall_rig.ts";
import { admin, create, rig, rpc, useRig } from "./policy_rig.ts";

useRig();

const [owner, other] = [as.user(7n), as.user(8n)];
const NOT_FOUND = { code: 404, reason: "http_firewall_policy.not_found" };

async function createAs(user: typeof owner, request: object = {}): Promise<bigint> {
  const complete = { name: "own", isOn: true, ...request };
  return (await rig.edgehelm.call(user, rpc.createHTTPFirewallPolicy, complete)).httpFirewallPolicyId;
}

async function groupOf(user: typeof owner): Promise<bigint> {
  const request = { name: "rules", isOn: true };
  return (await rig.edgehelm.call(user, HTTPFirewallRuleGroupService.method.createHTTPFirewallRuleGroup, request))
    .firewallRuleGroupId;
}

test("a user creates policies, with or without a site, that no other user sees", async () => {
  for (const serverId of [0n, 5n]) {
    const httpFirewallPolicyId = await createAs(owner, { serverId, httpFirewallGroupCodes: ["xss"] });
    const find = (user: typeof owner) =>
      rig.edgehelm.call(user, rpc.findEnabledHTTPFirewallPolicy, { httpFirewallPolicyId });
    expect((await find(owner)).httpFirewallPolicy).toMatchObject({ id: httpFirewallPolicyId, serverId });
    expect((await find(admin)).httpFirewallPolicy).toBeDefined();
    expect((await find(other)).httpFirewallPolicy).toBeUndefined();
    const config = await rig.edgehelm.call(owner, rpc.findEnabledHTTPFirewallPolicyConfig, { httpFirewallPolicyId });
    const groups: { code: string; isOn: boolean }[] = json(config.httpFirewallPolicyJSON).inbound.groups;
    expect(groups.filter(({ isOn }) => isOn).map(({ code }) => code)).toEqual(["xss"]);
    const foreign = await rig.edgehelm.call(other, rpc.findEnabledHTTPFirewallPolicyConfig, { httpFirewallPolicyId });
    expect(json(foreign.httpFirewallPolicyJSON)).toBeNull();
    const site = (user: typeof owner) =>
      rig.edgehelm.call(user, rpc.findServerIdWithHTTPFirewallPolicyId, { httpFirewallPolicyId });
    expect([(await site(owner)).serverId, (await site(other)).serverId]).toEqual([serverId, 0n]);
  }
});

test("a user changes own policies, with own groups", async () => {
  const httpFirewallPolicyId = await createAs(owner);
  const [mine, theirs] = [await groupOf(owner), await groupOf(other)];
  const update = (user: typeof owner, groupId: bigint) =>
    rig.edgehelm.call(user, rpc.updateHTTPFirewallInboundConfig, {
      ...{
        httpFirewallPolicyId,
        inboundJSON: bytes({ isOn: true, groupRefs: [{ isOn: true, groupId: `${groupId}` }] }),
      },
    });
  await update(owner, mine);
  await expect(update(owner, theirs)).rejects.toMatchObject({ code: 400 });
  await expect(update(other, theirs)).rejects.toMatchObject(NOT_FOUND);
  const outboundJSON = bytes({ isOn: false });
  await rig.edgehelm.call(owner, rpc.updateHTTPFirewallPolicyGroups, { httpFirewallPolicyId, outboundJSON });
  await expect(rig.edgehelm.call(other, rpc.updateHTTPFirewallPolicyGroups, { httpFirewallPolicyId, outboundJSON }))
    .rejects.toMatchObject(NOT_FOUND);
});

test("a user neither sees nor changes policies of the installation, and lends none to clusters", async () => {
  const httpFirewallPolicyId = await create("main");
  const found = await rig.edgehelm.call(owner, rpc.findEnabledHTTPFirewallPolicy, { httpFirewallPolicyId });
  expect(found.httpFirewallPolicy).toBeUndefined();
  const own = await createAs(owner);
  const { httpFirewallPolicies } = await rig.edgehelm.call(admin, rpc.listEnabledHTTPFirewallPolicies, { size: 100n });
  expect(httpFirewallPolicies.map(({ id }) => id)).not.toContain(own);
  const [{ requirePolicy } = { requirePolicy: undefined }] = rig.policyChecks;
  const call = rig.edgehelm.kernel.systemCall("test");
  await requirePolicy!(call, "httpFirewallPolicyId", httpFirewallPolicyId);
  await expect(requirePolicy!(call, "httpFirewallPolicyId", own)).rejects.toThrow("belongs to user 7");
  rig.policyOfCluster.set(1n, own);
  const update = { httpFirewallPolicyId: own, inboundJSON: bytes({ isOn: true }) };
  await expect(rig.edgehelm.call(owner, rpc.updateHTTPFirewallInboundConfig, update))
    .rejects.toMatchObject({ code: 403, reason: "http_firewall_policy.used_by_cluster" });
});
