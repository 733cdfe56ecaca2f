import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";

test(
  "Firewall: a policy, its groups, sets and rules, and what edge nodes are told of them",
  { timeout: 120_000 },
  async () => {
    await using day = await openDay();
    const { admin } = day;
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const policy = async () => (await node.config()).httpFirewallPolicies[0];

    // a policy without anything in it protects the cluster
    const { httpFirewallPolicyId } = await admin.post("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", {
      name: "main",
      isOn: true,
    });
    await admin.post("NodeClusterService/updateNodeClusterHTTPFirewallPolicyId", {
      nodeClusterId,
      httpFirewallPolicyId,
    });
    expect(await policy()).toMatchObject({ id: httpFirewallPolicyId, inbound: { groups: [] } });
    await node.hasNews();

    // a group with a set of rules; nodes hear of it once a policy has the group
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
    expect(await admin.refused(add, { firewallRuleGroupId, firewallRuleSetConfigJSON: wrong }))
      .toMatchObject({ code: 400, message: expect.stringContaining("rules[0].operator") });
    await admin.post(add, { firewallRuleGroupId, firewallRuleSetConfigJSON: set });
    expect(await node.hasNews()).toBe(false);
    await admin.post("HTTPFirewallPolicyService/updateHTTPFirewallInboundConfig", {
      httpFirewallPolicyId,
      inboundJSON: { isOn: true, groupRefs: [{ isOn: true, groupId: firewallRuleGroupId }] },
    });
    expect(await node.hasNews()).toBe(true);
    const [group] = (await policy()).inbound.groups;
    expect(group).toMatchObject({
      id: firewallRuleGroupId,
      isOn: true,
      name: "admin area",
      sets: [{ name: "paths", connector: "or", rules: [{ operator: "prefix", value: "/admin" }] }],
    });

    // every change of the group and the set reaches the node
    const [{ id: firewallRuleSetId }] = group.sets;
    const changes: [string, object, (group: typeof set & { sets: { isOn: boolean }[] }) => unknown, unknown][] = [
      [
        "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroup",
        { firewallRuleGroupId, name: "back office", isOn: true },
        (one) => one.name,
        "back office",
      ],
      [
        "HTTPFirewallRuleSetService/updateHTTPFirewallRuleSetIsOn",
        { firewallRuleSetId, isOn: false },
        (one) => one.sets[0]!.isOn,
        false,
      ],
      [
        "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn",
        { firewallRuleGroupId, isOn: false },
        (one) => one.isOn,
        false,
      ],
      [
        "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupSets",
        { firewallRuleGroupId, firewallRuleSetsJSON: [] },
        (one) => one.sets,
        [],
      ],
    ];
    for (const [path, request, part, value] of changes) {
      await admin.post(path, request);
      expect(await node.hasNews()).toBe(true);
      expect(part((await policy()).inbound.groups[0])).toEqual(value);
    }
    const { firewallRuleGroupJSON } = await admin.post(
      "HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroupConfig",
      { firewallRuleGroupId },
    );
    expect(json(firewallRuleGroupJSON)).toEqual((await policy()).inbound.groups[0]);

    // a customer's groups are theirs alone
    const [ada, bob] = [await day.user("ada"), await day.user("bob")];
    const own = await ada.post("HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup", { name: "mine" });
    const find = "HTTPFirewallRuleGroupService/findEnabledHTTPFirewallRuleGroup";
    expect((await bob.post(find, own)).firewallRuleGroup).toBeUndefined();
    expect((await ada.post(find, own)).firewallRuleGroup).toMatchObject({ name: "mine" });
    expect(await bob.refused("HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn", own))
      .toMatchObject({ code: 404 });

    // the policy goes when no cluster uses it any more
    const remove = "HTTPFirewallPolicyService/deleteHTTPFirewallPolicy";
    expect(await admin.refused(remove, { httpFirewallPolicyId }))
      .toMatchObject({ code: 409, message: expect.stringContaining('cluster "Frankfurt"') });
    await admin.post("NodeClusterService/updateNodeClusterHTTPFirewallPolicyId", { nodeClusterId });
    await admin.post(remove, { httpFirewallPolicyId });
    expect((await node.config()).httpFirewallPolicies).toEqual([]);
  },
);
