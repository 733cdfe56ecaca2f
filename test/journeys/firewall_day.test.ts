import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";

test(
  "Firewall: a policy with groups, sets and rules, and the configuration of edge nodes",
  async () => {
    await using day = await openDay();
    const { admin } = day;
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const policy = async () => (await node.config()).httpFirewallPolicies[0];

    // The cluster uses an empty policy.
    const { httpFirewallPolicyId } = await admin.post("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", {
      name: "main",
      isOn: true,
    });
    await admin.post("NodeClusterService/updateNodeClusterHTTPFirewallPolicyId", {
      nodeClusterId,
      httpFirewallPolicyId,
    });
    expect(await policy()).toMatchObject({ id: httpFirewallPolicyId, inbound: { groups: [] } });
    await node.pollConfig();

    // The admin creates a group with a set of rules; nodes receive it once a policy contains the group.
    const { firewallRuleGroupId } = await admin.post("HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup", {
      name: "admin area",
      isOn: true,
    });
    const rule = { param: "${requestPath}", operator: "prefix", value: "/admin", isOn: true };
    const add = "HTTPFirewallRuleGroupService/addHTTPFirewallRuleGroupSet";
    const set = {
      name: "paths",
      isOn: true,
      connector: "or",
      rules: [rule],
      actions: [{ code: "block", options: {} }],
    };
    const wrong = { ...set, rules: [{ ...rule, operator: "sounds like" }] };
    expect(await admin.error(add, { firewallRuleGroupId, firewallRuleSetConfigJSON: wrong }))
      .toMatchObject({ code: 400, message: expect.stringContaining("rules[0].operator") });
    await admin.post(add, { firewallRuleGroupId, firewallRuleSetConfigJSON: set });
    expect(await node.pollConfig()).toBe(false);
    await admin.post("HTTPFirewallPolicyService/updateHTTPFirewallInboundConfig", {
      httpFirewallPolicyId,
      inboundJSON: { isOn: true, groupRefs: [{ isOn: true, groupId: firewallRuleGroupId }] },
    });
    expect(await node.pollConfig()).toBe(true);
    const [group] = (await policy()).inbound.groups;
    expect(group).toMatchObject({
      id: firewallRuleGroupId,
      isOn: true,
      name: "admin area",
      sets: [{ name: "paths", connector: "or", rules: [{ operator: "prefix", value: "/admin" }] }],
    });

    // The node receives every change of the group and the set.
    const [{ id: firewallRuleSetId }] = group.sets;
    const changes: [string, object, (group: typeof set & { sets: { isOn: boolean }[] }) => unknown, unknown][] = [
      [
        "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroup",
        { firewallRuleGroupId, name: "back office", isOn: true },
        (changed) => changed.name,
        "back office",
      ],
      [
        "HTTPFirewallRuleSetService/updateHTTPFirewallRuleSetIsOn",
        { firewallRuleSetId, isOn: false },
        (changed) => changed.sets[0]!.isOn,
        false,
      ],
      [
        "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn",
        { firewallRuleGroupId, isOn: false },
        (changed) => changed.isOn,
        false,
      ],
      [
        "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupSets",
        { firewallRuleGroupId, firewallRuleSetsJSON: [] },
        (changed) => changed.sets,
        [],
      ],
    ];
    for (const [path, request, part, value] of changes) {
      await admin.post(path, request);
      expect(await node.pollConfig()).toBe(true);
      expect(part((await policy()).inbound.groups[0])).toEqual(value);
    }
    const { firewallRuleGroupJSON } = await admin.post(
      "HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroupConfig",
      { firewallRuleGroupId },
    );
    expect(json(firewallRuleGroupJSON)).toEqual((await policy()).inbound.groups[0]);

    // Users see only their own groups.
    const [ada, bob] = [await day.user("ada"), await day.user("bob")];
    const own = await ada.post("HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup", { name: "mine" });
    const find = "HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroup";
    expect((await bob.post(find, own)).firewallRuleGroup).toBeUndefined();
    expect((await ada.post(find, own)).firewallRuleGroup).toMatchObject({ name: "mine" });
    expect(await bob.error("HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn", own))
      .toMatchObject({ code: 404 });

    // The policy can be deleted once no cluster uses it.
    const remove = "HTTPFirewallPolicyService/deleteHTTPFirewallPolicy";
    expect(await admin.error(remove, { httpFirewallPolicyId }))
      .toMatchObject({ code: 409, message: expect.stringContaining('cluster "Frankfurt"') });
    await admin.post("NodeClusterService/updateNodeClusterHTTPFirewallPolicyId", { nodeClusterId });
    await admin.post(remove, { httpFirewallPolicyId });
    expect((await node.config()).httpFirewallPolicies).toEqual([]);
  },
);
