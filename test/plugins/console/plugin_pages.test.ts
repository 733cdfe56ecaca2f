import { fileURLToPath } from "node:url";
import { definePlugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsolePage, ConsolePages } from "../../../plugins/console/contract.ts";
import console from "../../../plugins/console/plugin.ts";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { ConsoleServer } from "./visitor.ts";

const FIXTURE = fileURLToPath(new URL("../../fixtures/console_page", import.meta.url));
const PAGE: ConsolePage = { key: "zones", title: { en: "Zones" }, group: "ns", needs: [], module: "/zones/page.js" };

test.each<[string, readonly ConsolePage[], string]>([
  ["a key with a slash", [{ ...PAGE, key: "a/b" }], 'the page "a/b": the key must have the form'],
  ["a module elsewhere", [{ ...PAGE, module: "https://example.com/a.js" }], "the module must be a path"],
  ["two pages with one key", [PAGE, PAGE], 'two pages have the key "zones"'],
])("the start refuses %s", async (_, pages, message) => {
  const vendor = definePlugin({
    manifest: {
      name: "vendor_pages",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["console.pages"],
    },
    setup: ({ contribute }) => pages.forEach((page) => contribute(ConsolePages, page)),
  });
  await expect(testKernel({ plugins: [console, vendor] })).rejects.toThrow(message);
});

describe.runIf(browserRuns())("a page of a plugin", () => {
  let served: ConsoleServer;
  beforeAll(async () => {
    const plugins = ["admin", "api_access_token", "console", "ns_cluster", "ns_domain", "user", "user_access_key"];
    served = await ConsoleServer.start([...plugins, FIXTURE]);
  });
  afterAll(() => served.stop());

  test("has its place, calls operations as the reader, follows the language, and cleans up", async () => {
    const visit = await served.visit();
    const { page } = visit;
    await visit.signIn();
    await page.getByRole("link", { name: "Zones" }).click();
    await page.getByText("0 domains, steps: ").waitFor();
    expect(await page.getByRole("link", { name: "Zones" }).getAttribute("aria-current")).toBe("page");
    await visit.expectAccessible();
    await page.getByLabel("Language").selectOption("zh");
    await page.getByRole("heading", { name: "区域" }).waitFor();
    await visit.open("plugin/zones/5/6");
    await page.getByText("0 domains, steps: 5,6").waitFor();
    await visit.open("plugin/nothing");
    expect(await page.locator("body").getAttribute("data-left")).toBe("yes");
    await visit.end();
  });
});
