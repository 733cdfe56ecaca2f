import { as } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HTTPFirewallRuleSetService } from "../../../plugins/http_firewall_rule_set/proto/service_http_firewall_rule_set_pb.ts";
import { bytes, type FirewallRig, firewallRig, json } from "../http_firewall_policy/firewall_rig.ts";

const rpc = HTTPFirewallRuleSetService.method;
const ada = as.user(7n);
const bob = as.user(8n);
const rule = { isOn: true, param: "${requestPath}", operator: "contains", value: "/." };
const set = { isOn: true, name: "no dot files", actions: [{ code: "block", options: { timeout: 60 } }], rules: [rule] };

let rig: FirewallRig;
beforeAll(async () => {
  rig = await firewallRig();
});
afterAll(() => rig.edgehelm[Symbol.asyncDispose]());

async function save(config: object, caller = ada): Promise<bigint> {
  const request = { firewallRuleSetConfigJSON: bytes(config) };
  return (await rig.edgehelm.call(caller, rpc.createOrUpdateHTTPFirewallRuleSetFromConfig, request)).firewallRuleSetId;
}

async function configOf(firewallRuleSetId: bigint, caller = ada) {
  const response = await rig.edgehelm.call(caller, rpc.findEnabledHTTPFirewallRuleSetConfig, { firewallRuleSetId });
  return json(response.firewallRuleSetJSON);
}

test("a user creates a set, updates its rules and turns it off", async () => {
  const id = await save({ ...set, rules: [rule, { ...rule, value: "/tmp" }] });
  const created = await configOf(id);
  const [first, second] = created.ruleRefs.map(({ ruleId }: { ruleId: number }) => ruleId);
  expect(created).toEqual({
    id: Number(id),
    isOn: true,
    name: "no dot files",
    code: "",
    description: "",
    connector: "or",
    ruleRefs: [{ isOn: true, ruleId: first }, { isOn: true, ruleId: second }],
    rules: [
      { ...rule, id: first, paramFilters: [], isCaseInsensitive: false, isComposed: false, description: "" },
      expect.objectContaining({ id: second, value: "/tmp" }),
    ],
    ignoreLocal: false,
    actions: [{ code: "block", options: { timeout: 60 } }],
  });

  const changed = {
    ...set,
    id: Number(id),
    connector: "and",
    rules: [{ ...rule, value: "/new" }, { ...rule, id: second }],
  };
  expect(await save(changed)).toBe(id);
  const { connector, rules } = await configOf(id);
  expect(connector).toBe("and");
  expect(rules.map(({ value }: { value: string }) => value)).toEqual(["/new", "/."]);
  expect(rules[1].id).toBe(second);
  expect([first, second]).not.toContain(rules[0].id);

  await rig.edgehelm.call(ada, rpc.updateHTTPFirewallRuleSetIsOn, { firewallRuleSetId: id, isOn: false });
  const { firewallRuleSet } = await rig.edgehelm.call(ada, rpc.findEnabledHTTPFirewallRuleSet, {
    firewallRuleSetId: id,
  });
  expect(firewallRuleSet).toMatchObject({ id, name: "no dot files", isOn: false });
});

test("a rule may have an empty value if it does not match everything then", async () => {
  const noUserAgent = { isOn: true, param: "${userAgent}", operator: "eq string", value: "" };
  expect((await configOf(await save({ ...set, rules: [noUserAgent] }))).rules).toMatchObject([noUserAgent]);
});

describe("createOrUpdateHTTPFirewallRuleSetFromConfig refuses", () => {
  test.each([
    [{ ...set, name: "" }, "firewallRuleSetConfigJSON.name: must not be empty"],
    [{ ...set, connector: "xor" }, "firewallRuleSetConfigJSON.connector: must be one of and, or"],
    [
      { ...set, actions: [{ code: "explode" }] },
      "firewallRuleSetConfigJSON.actions[0].code: must be one of log, block",
    ],
    [{ ...set, actions: [{ code: "block", options: 1 }] }, "actions[0].options: expected a JSON object"],
    [
      { ...set, rules: [{ ...rule, operator: "like" }] },
      "firewallRuleSetConfigJSON.rules[0].operator: must be one of gt",
    ],
    [
      { ...set, rules: [rule, { ...rule, param: "path" }] },
      "firewallRuleSetConfigJSON.rules[1].param: must contain a variable",
    ],
    [{ ...set, rules: [{ ...rule, value: "" }] }, "firewallRuleSetConfigJSON.rules[0].value: must not be empty"],
    [
      { ...set, rules: [{ ...rule, id: 999 }] },
      "firewallRuleSetConfigJSON.rules[0].id: rule 999 does not exist in the set",
    ],
    [{ ...set, rules: "all" }, "firewallRuleSetConfigJSON.rules: expected"],
  ])("%j", async (config, message) => {
    const path = "/HTTPFirewallRuleSetService/createOrUpdateHTTPFirewallRuleSetFromConfig";
    expect(await rig.edgehelm.post(path, { firewallRuleSetConfigJSON: config }, ada))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("an empty configuration", async () => {
    await expect(rig.edgehelm.call(ada, rpc.createOrUpdateHTTPFirewallRuleSetFromConfig, {}))
      .rejects.toMatchObject({ code: 400, message: "firewallRuleSetConfigJSON: must not be empty" });
  });

  test("a rule of another set, and a duplicate rule", async () => {
    const [one, other] = [await save(set), await save(set)];
    const [foreign] = (await configOf(other)).rules;
    await expect(save({ ...set, id: Number(one), rules: [foreign] })).rejects.toMatchObject({ code: 400 });
    await expect(save({ ...set, id: Number(other), rules: [foreign, foreign] }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining("listed twice") });
    expect((await configOf(other)).rules).toHaveLength(1);
  });
});

test("another user's set does not exist for users", async () => {
  const id = await save(set);
  expect(await configOf(id, bob)).toBeUndefined();
  const notFound = { code: 404, reason: "http_firewall_rule_set.not_found" };
  await expect(save({ ...set, id: Number(id) }, bob)).rejects.toMatchObject(notFound);
  await expect(rig.edgehelm.call(bob, rpc.updateHTTPFirewallRuleSetIsOn, { firewallRuleSetId: id }))
    .rejects.toMatchObject(notFound);
});
