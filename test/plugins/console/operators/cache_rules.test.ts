import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { CHANGED, RulesRig } from "./rules_rig.ts";

describe.runIf(browserRuns())("cache rules in a browser", () => {
  let rig: RulesRig;
  let httpCachePolicyId: number;
  beforeAll(async () => {
    rig = await RulesRig.start();
  });
  afterAll(() => rig.stop());
  beforeEach(() => rig.signIn());
  afterEach(() => rig.visit.end());

  const UPDATE = "HTTPCachePolicyService/updateHTTPCachePolicyRefs";
  const rule = (value: string) => ({
    ...{ isOn: true, key: "${host}${requestURI}", life: { count: 1, unit: "day" } },
    simpleCond: { type: "url-prefix", isRequest: true, param: "${requestPath}", operator: "prefix", value },
  });

  async function policy(name: string, refs: readonly object[]): Promise<void> {
    ({ httpCachePolicyId } = await rig.call("HTTPCachePolicyService/createHTTPCachePolicy", {
      ...{ isOn: true, name, type: "memory" },
    }));
    await rig.call(UPDATE, { httpCachePolicyId, refsJSON: refs });
    await rig.visit.open(`resource/HTTPCachePolicy/${httpCachePolicyId}`);
    await rig.page.getByRole("heading", { level: 2, name: "Cache rules" }).waitFor();
  }

  // deno-lint-ignore no-explicit-any -- the shape of the rules is what is tested
  async function stored(): Promise<any[]> {
    const path = "HTTPCachePolicyService/findEnabledHTTPCachePolicyConfig";
    return (await rig.callForJson(path, { httpCachePolicyId }, "httpCachePolicyJSON")).cacheRefs;
  }

  const storedValues = async () => (await stored()).map(({ simpleCond }) => simpleCond.value);

  test("are added, with what the server refuses beside its field", async () => {
    await policy("images", []);
    await rig.page.getByText("The policy has no cache rules yet").waitFor();
    await rig.press("Add rule");
    await rig.dialog.getByLabel("Extensions").fill("png .jpg");
    await rig.dialog.getByLabel("Lifetime", { exact: true }).fill("3");
    await rig.dialog.getByLabel("Unit of “Lifetime”").selectOption("days");
    await rig.dialog.getByLabel("From size", { exact: true }).fill("2");
    await rig.dialog.getByLabel("Up to size", { exact: true }).fill("7");
    await rig.dialog.getByLabel("Unit of “Up to size”").selectOption("GB");
    await rig.dialog.getByLabel("Status codes").fill("200, 20");
    await rig.dialog.getByLabel("Methods").fill("GET HEAD");
    await rig.dialog.getByText("More settings").click();
    await rig.dialog.getByLabel("Do not cache responses that set cookies").uncheck();
    await rig.press("Add rule", rig.dialog);
    await rig.errorBeside("Status codes").getByText("must be a status code 100 to 999, got 20").waitFor();
    expect(await stored()).toEqual([]);
    await rig.visit.expectAccessible();
    await rig.dialog.getByLabel("Status codes").fill("200, 206");
    await rig.press("Add rule", rig.dialog);
    await rig.page.getByRole("cell", { name: "File extension in lower case is one of .png, .jpg" }).waitFor();
    await rig.page.getByRole("cell", { name: "3 days" }).waitFor();
    await rig.page.getByRole("cell", { name: "2 KB – 7 GB" }).waitFor();
    await rig.expectFit();
    expect(await stored()).toMatchObject([{
      ...{ isOn: true, key: "${scheme}://${host}${requestURI}", life: { count: 3, unit: "day" } },
      ...{ minSize: { count: 2, unit: "kb" }, maxSize: { count: 7, unit: "gb" }, skipSetCookie: false },
      ...{ status: [200, 206], methods: ["GET", "HEAD"], allowPartialContent: true },
      simpleCond: { type: "url-extension", operator: "in", value: '[".png",".jpg"]' },
    }]);
  });

  test("are edited, and keep what the form does not have", async () => {
    const { httpCachePolicyId: cachePolicyId } = await rig.call("HTTPCachePolicyService/createHTTPCachePolicy", {
      ...{ isOn: true, name: "store of pages", type: "memory" },
    });
    await policy("pages", [{ ...rule("/a"), id: 77, cachePolicyId }]);
    await rig.press("Edit: rule 1");
    await rig.dialog.getByLabel("Which responses").selectOption("Several comparisons");
    await rig.press("Add comparison", rig.dialog);
    const second = rig.dialog.getByRole("group", { name: "Comparison 2" });
    await second.getByLabel("What is compared").selectOption("Header");
    await second.getByLabel("Name").fill("Accept-Language");
    await second.getByLabel("Comparison", { exact: true }).selectOption("is one of");
    await second.getByLabel("Value").fill("de\nen, fr");
    await rig.visit.expectAccessible();
    await rig.press("Save", rig.dialog);
    const text = "Path begins with /a and Header Accept-Language is one of de, en, fr";
    await rig.page.getByRole("cell", { name: text }).waitFor();
    const [saved] = await stored();
    expect(saved).toMatchObject({ id: 77, cachePolicyId, life: { count: 1, unit: "day" } });
    expect(saved.simpleCond).toBeUndefined();
    expect(saved.conds.groups[0].conds[1]).toMatchObject({
      ...{ param: "${header.Accept-Language}", operator: "in", value: '["de","en, fr"]', isRequest: true },
    });
  });

  test("are moved, turned off and removed, which can be taken back", async () => {
    await policy("assets", [rule("/first"), rule("/second")]);
    await rig.press("Move down: rule 1");
    await expect.poll(storedValues).toEqual(["/second", "/first"]);
    await rig.page.getByText("Rule 1 was moved.").waitFor();
    await rig.press("Undo");
    await rig.page.getByText("Undone.").waitFor();
    expect(await storedValues()).toEqual(["/first", "/second"]);
    await rig.press("Turn off: rule 2");
    await rig.press("Turn on: rule 2");
    await rig.page.getByText("Rule 2 is turned on.").waitFor();
    await rig.press("Turn off: rule 2");
    await rig.page.getByText("Rule 2 is turned off.").waitFor();
    expect((await stored()).map(({ isOn }) => isOn)).toEqual([true, false]);
    await rig.press("Remove: rule 1");
    await rig.page.getByRole("dialog", { name: "Remove rule 1" }).getByText("Path begins with /first").waitFor();
    await rig.press("Remove", rig.dialog);
    await rig.page.getByText("Rule 1 was removed.").waitFor();
    expect(await storedValues()).toEqual(["/second"]);
    await rig.press("Undo");
    await rig.page.getByText("Undone.").waitFor();
    expect(await storedValues()).toEqual(["/first", "/second"]);
  });

  test("are not overwritten if they were changed elsewhere", async () => {
    await policy("shared", [rule("/old")]);
    await rig.press("Edit: rule 1");
    await rig.call(UPDATE, { httpCachePolicyId, refsJSON: [rule("/theirs")] });
    await rig.dialog.getByLabel("Beginning of the path").fill("/mine");
    await rig.press("Save", rig.dialog);
    await rig.dialog.getByRole("alert").getByText(CHANGED).waitFor();
    expect(await storedValues()).toEqual(["/theirs"]);
    await rig.press("Cancel", rig.dialog);
    await rig.page.getByRole("cell", { name: "Path begins with /theirs" }).waitFor();
    await rig.call(UPDATE, { httpCachePolicyId, refsJSON: [rule("/again")] });
    await rig.press("Turn off: rule 1");
    await rig.page.getByRole("status").getByText(CHANGED).waitFor();
    await rig.page.getByRole("cell", { name: "Path begins with /again" }).waitFor();
    expect((await stored())[0].isOn).toBe(true);
  });
});
