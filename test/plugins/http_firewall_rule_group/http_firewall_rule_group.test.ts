import { as } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HTTPFirewallRuleGroupService } from "../../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import { HTTPFirewallRuleSetService } from "../../../plugins/http_firewall_rule_set/proto/service_http_firewall_rule_set_pb.ts";
import { bytes, type FirewallRig, firewallRig, json } from "../http_firewall_policy/firewall_rig.ts";

const rpc = HTTPFirewallRuleGroupService.method;
const ada = as.user(7n);
const bob = as.user(8n);
const set = {
  isOn: true,
  name: "no dot files",
  actions: [{ code: "block" }],
  rules: [{ isOn: true, param: "${requestPath}", operator: "contains", value: "/." }],
};

let rig: FirewallRig;
beforeAll(async () => {
  rig = await firewallRig();
});
afterAll(() => rig.edgehelm[Symbol.asyncDispose]());

async function createGroup(name: string, caller = ada): Promise<bigint> {
  const request = { name, isOn: true, code: "own" };
  return (await rig.edgehelm.call(caller, rpc.createHTTPFirewallRuleGroup, request)).firewallRuleGroupId;
}

async function createSet(caller = ada): Promise<bigint> {
  const { createOrUpdateHTTPFirewallRuleSetFromConfig: create } = HTTPFirewallRuleSetService.method;
  return (await rig.edgehelm.call(caller, create, { firewallRuleSetConfigJSON: bytes(set) })).firewallRuleSetId;
}

async function configOf(firewallRuleGroupId: bigint, caller = ada) {
  const response = await rig.edgehelm.call(caller, rpc.findEnabledHTTPFirewallRuleGroupConfig, { firewallRuleGroupId });
  return json(response.firewallRuleGroupJSON);
}

function refs(...ids: bigint[]): Uint8Array<ArrayBuffer> {
  return bytes(ids.map((id) => ({ isOn: true, setId: Number(id) })));
}

test("a user creates a group, adds and orders its sets and turns it off, without any policy", async () => {
  const firewallRuleGroupId = await createGroup("mine");
  expect(await configOf(firewallRuleGroupId)).toEqual({
    id: Number(firewallRuleGroupId),
    isOn: true,
    name: "mine",
    description: "",
    code: "own",
    setRefs: [],
    sets: [],
    isTemplate: false,
  });
  const firewallRuleSetConfigJSON = bytes(set);
  await rig.edgehelm.call(ada, rpc.addHTTPFirewallRuleGroupSet, { firewallRuleGroupId, firewallRuleSetConfigJSON });
  const [{ setId: first }] = (await configOf(firewallRuleGroupId)).setRefs;
  const second = await createSet();
  const firewallRuleSetsJSON = refs(second, BigInt(first));
  await rig.edgehelm.call(ada, rpc.updateHTTPFirewallRuleGroupSets, { firewallRuleGroupId, firewallRuleSetsJSON });
  expect(await configOf(firewallRuleGroupId)).toMatchObject({
    setRefs: [{ isOn: true, setId: Number(second) }, { isOn: true, setId: first }],
    sets: [{ id: Number(second) }, { id: first, rules: [{ value: "/.", description: "" }] }],
  });

  const update = { firewallRuleGroupId, name: "ours", description: "for all", code: "", isOn: true };
  await rig.edgehelm.call(ada, rpc.updateHTTPFirewallRuleGroup, update);
  await rig.edgehelm.call(ada, rpc.updateHTTPFirewallRuleGroupIsOn, { firewallRuleGroupId, isOn: false });
  await rig.edgehelm.call(ada, rpc.updateHTTPFirewallRuleGroupSets, { firewallRuleGroupId });
  const response = await rig.edgehelm.call(ada, rpc.findEnabledHTTPFirewallRuleGroup, { firewallRuleGroupId });
  expect(response.firewallRuleGroup)
    .toMatchObject({ id: firewallRuleGroupId, name: "ours", description: "for all", code: "", isOn: false });
  expect((await configOf(firewallRuleGroupId)).sets).toHaveLength(2);
});

test("addHTTPFirewallRuleGroupSet replaces a set that the group already contains, in its place", async () => {
  const firewallRuleGroupId = await createGroup("again");
  const add = (config: object) =>
    rig.edgehelm.call(ada, rpc.addHTTPFirewallRuleGroupSet, {
      firewallRuleGroupId,
      firewallRuleSetConfigJSON: bytes(config),
    });
  await add(set);
  await add({ ...set, name: "second" });
  const { sets: [first] } = await configOf(firewallRuleGroupId);
  await add({ ...first, name: "renamed" });
  expect((await configOf(firewallRuleGroupId)).sets).toMatchObject([{ id: first.id, name: "renamed" }, {
    name: "second",
  }]);
});

describe("rule groups refuse", () => {
  test("an empty name", async () => {
    await expect(rig.edgehelm.call(ada, rpc.createHTTPFirewallRuleGroup, { name: "" }))
      .rejects.toMatchObject({ code: 400, message: "name: must not be empty" });
  });

  test.each([
    ["a JSON object", {}, "firewallRuleSetsJSON: must be a JSON array"],
    ["a missing id", [{ isOn: true }], "firewallRuleSetsJSON[0].setId: must be a positive id"],
    ["an unknown set", [{ setId: 999 }], "firewallRuleSetsJSON[0].setId: rule set 999 does not exist"],
  ])("%s", async (_title, firewallRuleSetsJSON, message) => {
    const request = { firewallRuleGroupId: Number(await createGroup("refusing")), firewallRuleSetsJSON };
    expect(await rig.edgehelm.post("/HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupSets", request, ada))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("a set of another user, and a duplicate set", async () => {
    const firewallRuleGroupId = await createGroup("refusing");
    const [setOfBob, setOfAda] = [await createSet(bob), await createSet()];
    const put = (firewallRuleSetsJSON: Uint8Array<ArrayBuffer>) =>
      rig.edgehelm.call(ada, rpc.updateHTTPFirewallRuleGroupSets, { firewallRuleGroupId, firewallRuleSetsJSON });
    await expect(put(refs(setOfAda, setOfBob))).rejects.toMatchObject({
      code: 400,
      message: `firewallRuleSetsJSON[1].setId: rule set ${setOfBob} does not exist`,
    });
    await expect(put(refs(setOfAda, setOfAda))).rejects.toMatchObject({
      message: `firewallRuleSetsJSON[1].setId: ${setOfAda} is listed twice`,
    });
  });
});

test("a set that an admin adds to a user's group becomes the user's; a set of another user is refused", async () => {
  const firewallRuleGroupId = await createGroup("hers");
  const add = (config: object) =>
    rig.edgehelm.call(as.admin(), rpc.addHTTPFirewallRuleGroupSet, {
      firewallRuleGroupId,
      firewallRuleSetConfigJSON: bytes(config),
    });
  await add(set);
  const [{ setId }] = (await configOf(firewallRuleGroupId)).setRefs;
  const { updateHTTPFirewallRuleSetIsOn } = HTTPFirewallRuleSetService.method;
  await rig.edgehelm.call(ada, updateHTTPFirewallRuleSetIsOn, { firewallRuleSetId: BigInt(setId), isOn: true });
  const ofBob = await createSet(bob);
  await expect(add({ ...set, id: Number(ofBob), name: "changed" })).rejects.toMatchObject({
    code: 400,
    message: `firewallRuleSetConfigJSON.id: ${ofBob} belongs to another owner`,
  });
  expect((await configOf(firewallRuleGroupId)).sets).toHaveLength(1);
});

test("another user's group does not exist for users; admins see all groups", async () => {
  const firewallRuleGroupId = await createGroup("hers");
  expect(await configOf(firewallRuleGroupId, bob)).toBeUndefined();
  const notFound = { code: 404, reason: "http_firewall_rule_group.not_found" };
  await expect(rig.edgehelm.call(bob, rpc.updateHTTPFirewallRuleGroupIsOn, { firewallRuleGroupId }))
    .rejects.toMatchObject(notFound);
  const add = { firewallRuleGroupId, firewallRuleSetConfigJSON: bytes(set) };
  await expect(rig.edgehelm.call(bob, rpc.addHTTPFirewallRuleGroupSet, add)).rejects.toMatchObject(notFound);
  expect(await configOf(firewallRuleGroupId, as.admin())).toMatchObject({ name: "hers" });
});
