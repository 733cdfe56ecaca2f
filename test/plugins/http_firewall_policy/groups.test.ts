import { describe, expect, test } from "vitest";
import { HTTPFirewallRuleGroupService } from "../../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import { HTTPFirewallRuleSetService } from "../../../plugins/http_firewall_rule_set/proto/service_http_firewall_rule_set_pb.ts";
import { bytes } from "./firewall_rig.ts";
import { admin, configOf, create, createGroup, rig, rpc, useRig } from "./policy_rig.ts";

useRig();

describe("groups", () => {
  test("are assigned to requests and responses, and expanded in order", async () => {
    const httpFirewallPolicyId = await create("groups");
    const [one, two, out] = [await createGroup("one"), await createGroup("two"), await createGroup("out")];
    const inboundJSON = bytes({
      isOn: true,
      groupRefs: [{ isOn: false, groupId: Number(two) }, { isOn: true, groupId: Number(one) }],
      denyListRef: { isOn: false, listId: 0 },
    });
    const outboundJSON = bytes({ isOn: false, groupRefs: [{ isOn: true, groupId: Number(out) }] });
    const request = { httpFirewallPolicyId, inboundJSON, outboundJSON };
    await rig.edgehelm.call(admin, rpc.updateHTTPFirewallPolicyGroups, request);
    expect(await configOf(httpFirewallPolicyId)).toMatchObject({
      inbound: {
        isOn: true,
        groupRefs: [{ isOn: false, groupId: Number(two) }, { isOn: true, groupId: Number(one) }],
        groups: [{ name: "two" }, { name: "one" }],
        denyListRef: { isOn: false, listId: 0 },
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
