import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { CHANGED, RulesRig } from "./rules_rig.ts";

describe.runIf(browserRuns())("firewall rules in a browser", () => {
  let rig: RulesRig;
  let httpFirewallPolicyId: number;
  beforeAll(async () => {
    rig = await RulesRig.start();
  });
  afterAll(() => rig.stop());
  beforeEach(() => rig.signIn());
  afterEach(() => rig.visit.end());

  async function policy(name: string): Promise<void> {
    ({ httpFirewallPolicyId } = await rig.call("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", {
      ...{ isOn: true, name },
    }));
    await rig.visit.open(`resource/HTTPFirewallPolicy/${httpFirewallPolicyId}`);
    await rig.page.getByText("No group inspects requests yet").waitFor();
  }

  // deno-lint-ignore no-explicit-any -- the shape of the rules is what is tested
  async function stored(): Promise<any> {
    const path = "HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicyConfig";
    return await rig.callForJson(path, { httpFirewallPolicyId }, "httpFirewallPolicyJSON");
  }

  async function addGroup(side: string, name: string): Promise<void> {
    await rig.press(`Add group: ${side}`);
    await rig.dialog.getByLabel("Name").fill(name);
    await rig.press("Add group", rig.dialog);
    await rig.closed();
  }

  async function addSet(group: string, name: string): Promise<void> {
    await rig.press(`Add set to ${group}`);
    await rig.dialog.getByLabel("Name").fill(name);
    await rig.press("Add set", rig.dialog);
    await rig.closed();
  }

  async function addRule(set: string, value: string): Promise<void> {
    await rig.press(`Add rule to ${set}`);
    await rig.dialog.getByLabel("Value").fill(value);
    await rig.press("Add rule", rig.dialog);
    await rig.closed();
  }

  test("are added and changed, from the group to the actions", async () => {
    await policy("shops");
    await rig.press("Add group: Requests");
    await rig.press("Add group", rig.dialog);
    await rig.errorBeside("Name").waitFor();
    await rig.dialog.getByLabel("Name").fill("scanners");
    await rig.dialog.getByLabel("Description").fill("programs that look for holes");
    await rig.press("Add group", rig.dialog);
    await rig.closed();
    await rig.press("Add set to scanners");
    await rig.dialog.getByLabel("Name").fill("tools");
    await rig.dialog.getByLabel("A request matches if").selectOption("all rules match");
    await rig.dialog.getByRole("group", { name: "Block" }).getByLabel("Status code").fill("444");
    await rig.dialog.getByRole("group", { name: "Block" }).getByLabel("Where it holds").selectOption("everywhere");
    await rig.dialog.getByLabel("Action to add").selectOption("Tag");
    await rig.press("Add", rig.dialog);
    await rig.dialog.getByLabel("Tags").fill("scanner bot");
    await rig.dialog.getByLabel("Action to add").selectOption("Go to a group");
    await rig.press("Add", rig.dialog);
    await rig.dialog.getByLabel("Group", { exact: true }).selectOption("scanners");
    await rig.press("Move up: Go to a group", rig.dialog);
    await rig.visit.expectAccessible();
    await rig.press("Add set", rig.dialog);
    await rig.closed();
    await rig.press("Add rule to tools");
    await rig.dialog.getByLabel("What is compared").selectOption("Header");
    await rig.press("Add rule", rig.dialog);
    // the browser asks for the name of the header
    await rig.dialog.getByPlaceholder("Name").fill("User-Agent");
    await rig.dialog.getByLabel("Comparison").selectOption("contains one of");
    await rig.press("Add rule", rig.dialog);
    await rig.errorBeside("Value").waitFor();
    await rig.dialog.getByLabel("Value").fill("sqlmap\nnikto");
    await rig.dialog.getByLabel("Ignore case").check();
    await rig.dialog.getByLabel("Before it is compared").fill("urlDecode");
    await rig.visit.expectAccessible();
    await rig.press("Add rule", rig.dialog);
    await rig.closed();
    await rig.page.getByRole("listitem").getByText("Header User-Agent contains one of sqlmap nikto").waitFor();
    const { inbound: { groupRefs, groups: [group] } } = await stored();
    expect(groupRefs).toHaveLength(1);
    expect(group).toMatchObject({ name: "scanners", description: "programs that look for holes", isOn: true });
    expect(group.sets).toMatchObject([{
      ...{ name: "tools", connector: "and", ignoreLocal: true, isOn: true },
      actions: [
        { code: "block", options: { statusCode: 444, timeout: 60, scope: "global" } },
        { code: "go_group", options: { groupId: group.id } },
        { code: "tag", options: { tags: ["scanner", "bot"] } },
      ],
      rules: [{
        ...{ isOn: true, param: "${header.User-Agent}", operator: "contains any", value: "sqlmap\nnikto" },
        ...{ isCaseInsensitive: true, isComposed: false, paramFilters: [{ code: "urlDecode" }] },
      }],
    }]);
    await rig.press("Edit: tools");
    await rig.press("Remove: Tag", rig.dialog);
    await rig.dialog.getByRole("group", { name: "Block" }).getByLabel("Seconds", { exact: true }).fill("");
    await rig.press("Save", rig.dialog);
    await rig.closed();
    await rig.press("Edit: Header User-Agent contains one of sqlmap\nnikto");
    await rig.dialog.getByLabel("Value").fill("masscan");
    await rig.press("Save", rig.dialog);
    await rig.closed();
    await rig.press("Edit: scanners");
    await rig.dialog.getByLabel("Name").fill("robots");
    await rig.press("Save", rig.dialog);
    await rig.page.getByRole("region", { name: "robots" }).waitFor();
    const { inbound: { groups: [changed] } } = await stored();
    const [set] = changed.sets;
    expect([changed.name, changed.description]).toEqual(["robots", "programs that look for holes"]);
    expect(set.actions.map(({ code }: { code: string }) => code)).toEqual(["block", "go_group"]);
    expect(set.actions[0].options).toEqual({ statusCode: 444, scope: "global" });
    expect(set.rules[0]).toMatchObject({ id: group.sets[0].rules[0].id, value: "masscan" });
    await rig.expectFit();
  });

  test("of responses compare what responses have, and count requests by keys", async () => {
    await policy("responses");
    await addGroup("Responses", "leaks");
    await addSet("leaks", "errors");
    await rig.press("Add rule to errors");
    await rig.dialog.getByLabel("What is compared").selectOption("Number of requests in a time");
    await rig.dialog.getByLabel("Count requests with the same").fill("${remoteAddr}");
    await rig.dialog.getByLabel("Time in seconds").fill("30");
    await rig.dialog.getByLabel("Comparison").selectOption("is greater than");
    await rig.dialog.getByLabel("Value").fill("50");
    await rig.press("Add rule", rig.dialog);
    await rig.closed();
    await addRule("errors", "500");
    const { outbound: { groups: [{ sets: [set] }] }, inbound } = await stored();
    expect(inbound.groupRefs).toEqual([]);
    expect(set.rules).toMatchObject([
      { param: "${cc2}", operator: "gt", value: "50", checkpointOptions: { keys: ["${remoteAddr}"], period: 30 } },
      { param: "${status}", operator: "eq", value: "500" },
    ]);
  });

  test("are moved, turned off and removed at every level, which can be taken back", async () => {
    await policy("orders");
    await addGroup("Requests", "one");
    await addGroup("Requests", "two");
    await addSet("one", "upper");
    await addSet("one", "lower");
    await addRule("upper", "first");
    await addRule("upper", "second");
    const named = (items: readonly { name: string }[]) => items.map(({ name }) => name);
    const groups = async () => (await stored()).inbound.groups;
    const rules = async () => (await groups())[0].sets[0].rules.map(({ value }: { value: string }) => value);
    /** Does something, checks what is stored, and takes it back. */
    const tried = async (done: string, look: () => Promise<unknown>, changed: unknown, before: unknown) => {
      await rig.page.getByText(done).waitFor();
      expect(await look()).toEqual(changed);
      await rig.press("Undo");
      await rig.page.getByText("Undone.").waitFor();
      expect(await look()).toEqual(before);
    };
    await rig.press("Move down: one");
    await tried("one was moved.", async () => named(await groups()), ["two", "one"], ["one", "two"]);
    await rig.press("Move up: lower");
    await tried(
      "lower was moved.",
      async () => named((await groups())[0].sets),
      ["lower", "upper"],
      ["upper", "lower"],
    );
    const first = "Path with query matches the regular expression first";
    await rig.press(`Move down: ${first}`);
    await tried(`${first} was moved.`, rules, ["second", "first"], ["first", "second"]);
    await rig.press("Turn off: Requests – inspection");
    await tried("is turned off.", async () => (await stored()).inbound.isOn, false, true);
    await rig.press("Turn off: two");
    await tried("two is turned off.", async () => (await groups())[1].isOn, false, true);
    await rig.press("Turn off: lower");
    await tried("lower is turned off.", async () => (await groups())[0].sets[1].isOn, false, true);
    await rig.press(`Turn off: ${first}`);
    await tried(`${first} is turned off.`, async () => (await groups())[0].sets[0].rules[0].isOn, false, true);
    await rig.press(`Remove: ${first}`);
    await rig.press("Remove", rig.page.getByRole("dialog", { name: `Remove ${first}` }));
    await tried(`${first} was removed.`, rules, ["second"], ["first", "second"]);
    await rig.press("Remove: upper");
    await rig.press("Remove", rig.page.getByRole("dialog", { name: "Remove upper" }));
    await tried("upper was removed.", async () => named((await groups())[0].sets), ["lower"], ["upper", "lower"]);
    await rig.press("Remove: one");
    await rig.press("Remove", rig.page.getByRole("dialog", { name: "Remove one" }));
    await tried("one was removed.", async () => named(await groups()), ["two"], ["one", "two"]);
    expect(await rules()).toEqual(["first", "second"]);
    const [, { id }] = await groups();
    const { inbound: { groupRefs } } = await stored();
    await rig.call("HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn", {
      firewallRuleGroupId: id,
      isOn: false,
    });
    await rig.call("HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", {
      ...{
        httpFirewallPolicyId,
        inboundJSON: { isOn: true, groupRefs: [groupRefs[0], { isOn: false, groupId: id }] },
      },
    });
    await rig.visit.open("");
    await rig.visit.open(`resource/HTTPFirewallPolicy/${httpFirewallPolicyId}`);
    const states = async () => [(await groups())[1].isOn, (await stored()).inbound.groupRefs[1].isOn];
    await rig.press("Turn on: two");
    await tried("two is turned on.", states, [true, true], [false, false]);
  });

  test("are not overwritten if they were changed elsewhere", async () => {
    await policy("contested");
    await addGroup("Requests", "mine");
    await addSet("mine", "set");
    const { inbound: { groups: [{ id, sets: [set] }] } } = await stored();
    await rig.press("Edit: set");
    await rig.call("HTTPFirewallRuleSetService/createOrUpdateHTTPFirewallRuleSetFromConfig", {
      firewallRuleSetConfigJSON: { ...set, description: "theirs" },
    });
    await rig.dialog.getByLabel("Description").fill("ours");
    await rig.press("Save", rig.dialog);
    await rig.dialog.getByRole("alert").getByText(CHANGED).waitFor();
    await rig.press("Cancel", rig.dialog);
    await rig.press("Edit: mine");
    await rig.call("HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroup", {
      ...{ firewallRuleGroupId: id, isOn: true, name: "mine", description: "theirs too" },
    });
    await rig.dialog.getByLabel("Description").fill("ours");
    await rig.press("Save", rig.dialog);
    await rig.dialog.getByRole("alert").getByText(CHANGED).waitFor();
    await rig.press("Cancel", rig.dialog);
    await rig.press("Add group: Requests");
    await rig.call("HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", {
      ...{ httpFirewallPolicyId, inboundJSON: { isOn: false, groupRefs: [{ isOn: true, groupId: id }] } },
    });
    await rig.dialog.getByLabel("Name").fill("late");
    await rig.press("Add group", rig.dialog);
    await rig.dialog.getByRole("alert").getByText(CHANGED).waitFor();
    const { inbound } = await stored();
    expect([inbound.isOn, inbound.groups.length]).toEqual([false, 1]);
    expect([inbound.groups[0].description, inbound.groups[0].sets[0].description]).toEqual(["theirs too", "theirs"]);
  });
});
