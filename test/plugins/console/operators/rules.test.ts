import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "http_cache_policy",
  "http_firewall_policy",
  "http_firewall_rule_group",
  "http_firewall_rule_set",
  "user",
  "user_access_key",
];
const CHANGED = "This was changed elsewhere meanwhile";

describe.runIf(browserRuns())("rules of policies in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  let dialog: Locator;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    dialog = page.getByRole("dialog");
    await visit.signIn();
  });
  afterEach(() => visit.end());

  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async function call(path: string, request: object): Promise<any> {
    const { code, data, message } = await served.server.post(`/${path}`, request);
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  const parsed = (json: unknown) => typeof json === "string" ? JSON.parse(atob(json)) : json;
  const press = (name: string, within: Page | Locator = page) =>
    within.getByRole("button", { name, exact: true }).click();
  /** Waits until a form was saved, and so is gone. */
  const closed = () => dialog.waitFor({ state: "detached" });

  /** Checks the page in both themes and on a narrow screen. */
  async function expectFit(): Promise<void> {
    await visit.settled();
    await visit.expectAccessible();
    await page.evaluate("document.documentElement.dataset.theme = 'dark'");
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
    await page.setViewportSize({ width: 1280, height: 860 });
  }

  describe("of a cache policy", () => {
    const UPDATE = "HTTPCachePolicyService/updateHTTPCachePolicyRefs";
    const rule = (value: string) => ({
      ...{ isOn: true, key: "${host}${requestURI}", life: { count: 1, unit: "day" } },
      simpleCond: { type: "url-prefix", isRequest: true, param: "${requestPath}", operator: "prefix", value },
    });
    let httpCachePolicyId: number;

    async function policy(name: string, refs: readonly object[]): Promise<void> {
      ({ httpCachePolicyId } = await call("HTTPCachePolicyService/createHTTPCachePolicy", {
        ...{ isOn: true, name, type: "memory" },
      }));
      await call(UPDATE, { httpCachePolicyId, refsJSON: refs });
      await visit.open(`resource/HTTPCachePolicy/${httpCachePolicyId}`);
      await page.getByRole("heading", { level: 2, name: "Cache rules" }).waitFor();
    }

    // deno-lint-ignore no-explicit-any -- the shape of the rules is what is tested
    async function stored(): Promise<any[]> {
      const path = "HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig";
      return parsed((await call(path, { httpCachePolicyId })).httpCachePolicyJSON).cacheRefs;
    }

    const storedValues = async () => (await stored()).map(({ simpleCond }) => simpleCond.value);

    test("are added, with what the server refuses beside its field", async () => {
      await policy("images", []);
      await page.getByText("The policy has no cache rules yet").waitFor();
      await press("Add rule");
      await dialog.getByLabel("Extensions").fill("png .jpg");
      await dialog.getByLabel("Lifetime", { exact: true }).fill("3");
      await dialog.getByLabel("Unit of “Lifetime”").selectOption("days");
      await dialog.getByLabel("From size", { exact: true }).fill("2");
      await dialog.getByLabel("Up to size", { exact: true }).fill("7");
      await dialog.getByLabel("Unit of “Up to size”").selectOption("GB");
      await dialog.getByLabel("Status codes").fill("200, 20");
      await dialog.getByLabel("Methods").fill("GET HEAD");
      await dialog.getByText("More settings").click();
      await dialog.getByLabel("Do not cache responses that set cookies").uncheck();
      await press("Add rule", dialog);
      const status = page.locator(".field", { has: page.getByLabel("Status codes") });
      await status.getByRole("alert").getByText("must be a status code 100 to 999, got 20").waitFor();
      expect(await stored()).toEqual([]);
      await visit.expectAccessible();
      await dialog.getByLabel("Status codes").fill("200, 206");
      await press("Add rule", dialog);
      await page.getByRole("cell", { name: "File extension in lower case is one of .png, .jpg" }).waitFor();
      await page.getByRole("cell", { name: "3 days" }).waitFor();
      await page.getByRole("cell", { name: "2 KB – 7 GB" }).waitFor();
      await expectFit();
      expect(await stored()).toMatchObject([{
        ...{ isOn: true, key: "${scheme}://${host}${requestURI}", life: { count: 3, unit: "day" } },
        ...{ minSize: { count: 2, unit: "kb" }, maxSize: { count: 7, unit: "gb" }, skipSetCookie: false },
        ...{ status: [200, 206], methods: ["GET", "HEAD"], allowPartialContent: true },
        simpleCond: { type: "url-extension", operator: "in", value: '[".png",".jpg"]' },
      }]);
    });

    test("are edited, and keep what the form does not have", async () => {
      const { httpCachePolicyId: cachePolicyId } = await call("HTTPCachePolicyService/createHTTPCachePolicy", {
        ...{ isOn: true, name: "store of pages", type: "memory" },
      });
      await policy("pages", [{ ...rule("/a"), id: 77, cachePolicyId }]);
      await press("Edit: rule 1");
      await dialog.getByLabel("Which responses").selectOption("Several comparisons");
      await press("Add comparison", dialog);
      const second = dialog.getByRole("group", { name: "Comparison 2" });
      await second.getByLabel("What is compared").selectOption("Header");
      await second.getByLabel("Name").fill("Accept-Language");
      await second.getByLabel("Comparison", { exact: true }).selectOption("is one of");
      await second.getByLabel("Value").fill("de\nen, fr");
      await visit.expectAccessible();
      await press("Save", dialog);
      const text = "Path begins with /a and Header Accept-Language is one of de, en, fr";
      await page.getByRole("cell", { name: text }).waitFor();
      const [saved] = await stored();
      expect(saved).toMatchObject({ id: 77, cachePolicyId, life: { count: 1, unit: "day" } });
      expect(saved.simpleCond).toBeUndefined();
      expect(saved.conds.groups[0].conds[1]).toMatchObject({
        ...{ param: "${header.Accept-Language}", operator: "in", value: '["de","en, fr"]', isRequest: true },
      });
    });

    test("are moved, turned off and removed, which can be taken back", async () => {
      await policy("assets", [rule("/first"), rule("/second")]);
      await press("Move down: rule 1");
      await expect.poll(storedValues).toEqual(["/second", "/first"]);
      await page.getByText("Rule 1 was moved.").waitFor();
      await press("Undo");
      await page.getByText("Undone.").waitFor();
      expect(await storedValues()).toEqual(["/first", "/second"]);
      await press("Turn off: rule 2");
      await press("Turn on: rule 2");
      await page.getByText("Rule 2 is turned on.").waitFor();
      await press("Turn off: rule 2");
      await page.getByText("Rule 2 is turned off.").waitFor();
      expect((await stored()).map(({ isOn }) => isOn)).toEqual([true, false]);
      await press("Remove: rule 1");
      await page.getByRole("dialog", { name: "Remove rule 1" }).getByText("Path begins with /first").waitFor();
      await press("Remove", dialog);
      await page.getByText("Rule 1 was removed.").waitFor();
      expect(await storedValues()).toEqual(["/second"]);
      await press("Undo");
      await page.getByText("Undone.").waitFor();
      expect(await storedValues()).toEqual(["/first", "/second"]);
    });

    test("are not overwritten if they were changed elsewhere", async () => {
      await policy("shared", [rule("/old")]);
      await press("Edit: rule 1");
      await call(UPDATE, { httpCachePolicyId, refsJSON: [rule("/theirs")] });
      await dialog.getByLabel("Beginning of the path").fill("/mine");
      await press("Save", dialog);
      await dialog.getByRole("alert").getByText(CHANGED).waitFor();
      expect(await storedValues()).toEqual(["/theirs"]);
      await press("Cancel", dialog);
      await page.getByRole("cell", { name: "Path begins with /theirs" }).waitFor();
      await call(UPDATE, { httpCachePolicyId, refsJSON: [rule("/again")] });
      await press("Turn off: rule 1");
      await page.getByRole("status").getByText(CHANGED).waitFor();
      await page.getByRole("cell", { name: "Path begins with /again" }).waitFor();
      expect((await stored())[0].isOn).toBe(true);
    });
  });

  describe("of a firewall policy", () => {
    let httpFirewallPolicyId: number;

    async function policy(name: string): Promise<void> {
      ({ httpFirewallPolicyId } = await call("HTTPFirewallPolicyService/createEmptyHTTPFirewallPolicy", {
        ...{ isOn: true, name },
      }));
      await visit.open(`resource/HTTPFirewallPolicy/${httpFirewallPolicyId}`);
      await page.getByText("No group inspects requests yet").waitFor();
    }

    // deno-lint-ignore no-explicit-any -- the shape of the rules is what is tested
    async function stored(): Promise<any> {
      const path = "HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicyConfig";
      return parsed((await call(path, { httpFirewallPolicyId })).httpFirewallPolicyJSON);
    }

    async function addGroup(side: string, name: string): Promise<void> {
      await press(`Add group: ${side}`);
      await dialog.getByLabel("Name").fill(name);
      await press("Add group", dialog);
      await closed();
    }

    async function addSet(group: string, name: string): Promise<void> {
      await press(`Add set to ${group}`);
      await dialog.getByLabel("Name").fill(name);
      await press("Add set", dialog);
      await closed();
    }

    async function addRule(set: string, value: string): Promise<void> {
      await press(`Add rule to ${set}`);
      await dialog.getByLabel("Value").fill(value);
      await press("Add rule", dialog);
      await closed();
    }

    test("are added and changed, from the group to the actions", async () => {
      await policy("shops");
      await press("Add group: Requests");
      await press("Add group", dialog);
      await page.locator(".field", { has: page.getByLabel("Name") }).getByRole("alert").waitFor();
      await dialog.getByLabel("Name").fill("scanners");
      await dialog.getByLabel("Description").fill("programs that look for holes");
      await press("Add group", dialog);
      await closed();
      await press("Add set to scanners");
      await dialog.getByLabel("Name").fill("tools");
      await dialog.getByLabel("A request matches if").selectOption("all rules match");
      await dialog.getByRole("group", { name: "Block" }).getByLabel("Status code").fill("444");
      await dialog.getByRole("group", { name: "Block" }).getByLabel("Where it holds").selectOption("everywhere");
      await dialog.getByLabel("Action to add").selectOption("Tag");
      await press("Add", dialog);
      await dialog.getByLabel("Tags").fill("scanner bot");
      await dialog.getByLabel("Action to add").selectOption("Go to a group");
      await press("Add", dialog);
      await dialog.getByLabel("Group", { exact: true }).selectOption("scanners");
      await press("Move up: Go to a group", dialog);
      await visit.expectAccessible();
      await press("Add set", dialog);
      await closed();
      await press("Add rule to tools");
      await dialog.getByLabel("What is compared").selectOption("Header");
      await press("Add rule", dialog);
      // the browser asks for the name of the header
      await dialog.getByPlaceholder("Name").fill("User-Agent");
      await dialog.getByLabel("Comparison").selectOption("contains one of");
      await press("Add rule", dialog);
      await page.locator(".field", { has: page.getByLabel("Value") }).getByRole("alert").waitFor();
      await dialog.getByLabel("Value").fill("sqlmap\nnikto");
      await dialog.getByLabel("Ignore case").check();
      await dialog.getByLabel("Before it is compared").fill("urlDecode");
      await visit.expectAccessible();
      await press("Add rule", dialog);
      await closed();
      await page.getByRole("listitem").getByText("Header User-Agent contains one of sqlmap nikto").waitFor();
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
      await press("Edit: tools");
      await press("Remove: Tag", dialog);
      await dialog.getByRole("group", { name: "Block" }).getByLabel("Seconds", { exact: true }).fill("");
      await press("Save", dialog);
      await closed();
      await press("Edit: Header User-Agent contains one of sqlmap\nnikto");
      await dialog.getByLabel("Value").fill("masscan");
      await press("Save", dialog);
      await closed();
      await press("Edit: scanners");
      await dialog.getByLabel("Name").fill("robots");
      await press("Save", dialog);
      await page.getByRole("region", { name: "robots" }).waitFor();
      const { inbound: { groups: [changed] } } = await stored();
      const [set] = changed.sets;
      expect([changed.name, changed.description]).toEqual(["robots", "programs that look for holes"]);
      expect(set.actions.map(({ code }: { code: string }) => code)).toEqual(["block", "go_group"]);
      expect(set.actions[0].options).toEqual({ statusCode: 444, scope: "global" });
      expect(set.rules[0]).toMatchObject({ id: group.sets[0].rules[0].id, value: "masscan" });
      await expectFit();
    });

    test("of responses compare what responses have, and count requests by keys", async () => {
      await policy("responses");
      await addGroup("Responses", "leaks");
      await addSet("leaks", "errors");
      await press("Add rule to errors");
      await dialog.getByLabel("What is compared").selectOption("Number of requests in a time");
      await dialog.getByLabel("Count requests with the same").fill("${remoteAddr}");
      await dialog.getByLabel("Time in seconds").fill("30");
      await dialog.getByLabel("Comparison").selectOption("is greater than");
      await dialog.getByLabel("Value").fill("50");
      await press("Add rule", dialog);
      await closed();
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
        await page.getByText(done).waitFor();
        expect(await look()).toEqual(changed);
        await press("Undo");
        await page.getByText("Undone.").waitFor();
        expect(await look()).toEqual(before);
      };
      await press("Move down: one");
      await tried("one was moved.", async () => named(await groups()), ["two", "one"], ["one", "two"]);
      await press("Move up: lower");
      await tried(
        "lower was moved.",
        async () => named((await groups())[0].sets),
        ["lower", "upper"],
        ["upper", "lower"],
      );
      const first = "Path with query matches the regular expression first";
      await press(`Move down: ${first}`);
      await tried(`${first} was moved.`, rules, ["second", "first"], ["first", "second"]);
      await press("Turn off: Requests – inspection");
      await tried("is turned off.", async () => (await stored()).inbound.isOn, false, true);
      await press("Turn off: two");
      await tried("two is turned off.", async () => (await groups())[1].isOn, false, true);
      await press("Turn off: lower");
      await tried("lower is turned off.", async () => (await groups())[0].sets[1].isOn, false, true);
      await press(`Turn off: ${first}`);
      await tried(`${first} is turned off.`, async () => (await groups())[0].sets[0].rules[0].isOn, false, true);
      await press(`Remove: ${first}`);
      await press("Remove", page.getByRole("dialog", { name: `Remove ${first}` }));
      await tried(`${first} was removed.`, rules, ["second"], ["first", "second"]);
      await press("Remove: upper");
      await press("Remove", page.getByRole("dialog", { name: "Remove upper" }));
      await tried("upper was removed.", async () => named((await groups())[0].sets), ["lower"], ["upper", "lower"]);
      await press("Remove: one");
      await press("Remove", page.getByRole("dialog", { name: "Remove one" }));
      await tried("one was removed.", async () => named(await groups()), ["two"], ["one", "two"]);
      expect(await rules()).toEqual(["first", "second"]);
      const [, { id }] = await groups();
      const { inbound: { groupRefs } } = await stored();
      await call("HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupIsOn", {
        firewallRuleGroupId: id,
        isOn: false,
      });
      await call("HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", {
        ...{
          httpFirewallPolicyId,
          inboundJSON: { isOn: true, groupRefs: [groupRefs[0], { isOn: false, groupId: id }] },
        },
      });
      await visit.open("");
      await visit.open(`resource/HTTPFirewallPolicy/${httpFirewallPolicyId}`);
      const states = async () => [(await groups())[1].isOn, (await stored()).inbound.groupRefs[1].isOn];
      await press("Turn on: two");
      await tried("two is turned on.", states, [true, true], [false, false]);
    });

    test("are not overwritten if they were changed elsewhere", async () => {
      await policy("contested");
      await addGroup("Requests", "mine");
      await addSet("mine", "set");
      const { inbound: { groups: [{ id, sets: [set] }] } } = await stored();
      await press("Edit: set");
      await call("HTTPFirewallRuleSetService/createOrUpdateHTTPFirewallRuleSetFromConfig", {
        firewallRuleSetConfigJSON: { ...set, description: "theirs" },
      });
      await dialog.getByLabel("Description").fill("ours");
      await press("Save", dialog);
      await dialog.getByRole("alert").getByText(CHANGED).waitFor();
      await press("Cancel", dialog);
      await press("Edit: mine");
      await call("HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroup", {
        ...{ firewallRuleGroupId: id, isOn: true, name: "mine", description: "theirs too" },
      });
      await dialog.getByLabel("Description").fill("ours");
      await press("Save", dialog);
      await dialog.getByRole("alert").getByText(CHANGED).waitFor();
      await press("Cancel", dialog);
      await press("Add group: Requests");
      await call("HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups", {
        ...{ httpFirewallPolicyId, inboundJSON: { isOn: false, groupRefs: [{ isOn: true, groupId: id }] } },
      });
      await dialog.getByLabel("Name").fill("late");
      await press("Add group", dialog);
      await dialog.getByRole("alert").getByText(CHANGED).waitFor();
      const { inbound } = await stored();
      expect([inbound.isOn, inbound.groups.length]).toEqual([false, 1]);
      expect([inbound.groups[0].description, inbound.groups[0].sets[0].description]).toEqual(["theirs too", "theirs"]);
    });
  });
});
