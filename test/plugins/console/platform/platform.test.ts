import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "console", "installation", "log", "login", "node", "node_base", "node_cluster"],
  ...["report_node", "report_node_group", "user", "user_access_key"],
];

describe.runIf(browserRuns())("the platform in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterEach(() => visit.end());

  /** Checks the page as it is in both themes, at phone width, and its title in Chinese. */
  async function expectGood(chinese: string): Promise<void> {
    await visit.settled();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Theme" }).click();
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 860 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await visit.expectAccessible();
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByLabel("Language").selectOption("zh");
    await page.getByRole("heading", { level: 1, name: chinese }).waitFor();
    await page.locator("header select").selectOption("en");
    await page.getByRole("button", { name: "Theme" }).click();
  }

  test("health says in words that everything works, and who serves", async () => {
    await visit.open("health");
    await page.getByText("Everything works", { exact: true }).waitFor();
    await page.getByText("The database can be read and written.").waitFor();
    await page.getByText("(responds now)").waitFor();
    await page.getByRole("cell", { name: /Deno|Node/ }).waitFor();
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("Everything works", { exact: true }).waitFor();
    await expectGood("运行状况");
  });

  test("a job is found, run after a confirmation, and shows its run", async () => {
    await visit.open("jobs");
    await page.getByLabel("Find a job").fill("kernel.rotate");
    await page.getByText("1 job", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Run now kernel.rotate_keys" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Running it once more does no harm.").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Run now" }).click();
    await dialog.getByText("The job ended without an error").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    const row = page.getByRole("row").filter({ hasText: "kernel.rotate_keys" });
    await row.getByText("ok", { exact: true }).waitFor();
    await row.getByText("1 hour", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Failed or late" }).click();
    await page.getByText("No job has this name.").waitFor();
    await page.getByRole("button", { name: "Failed or late" }).click();
    await page.getByLabel("Find a job").fill("");
    await expectGood("任务");
  });

  test("plugins lead to what they serve and to their configuration", async () => {
    await visit.open("plugins");
    await page.getByText(/^1\d plugins$/).waitFor();
    await page.getByLabel("Find a plugin or a service").fill("ReportNodeS");
    await page.getByRole("link", { name: "report_node", exact: true }).click();
    await page.getByText("Report nodes, which measure whether").waitFor();
    await page.getByText("measuredPort").waitFor();
    await page.getByText("not set: the default applies").first().waitFor();
    await page.getByRole("link", { name: "node_base", exact: true }).waitFor();
    await expectGood("report_node");
    await page.getByRole("link", { name: "ReportNodeService", exact: true }).click();
    await page.getByRole("heading", { name: "Explorer" }).waitFor();
    await visit.open("plugins");
    await expectGood("插件");
  });

  test("settings that a service keeps are a form, and those of the manifest are there to read", async () => {
    await visit.open("settings");
    const form = page.getByRole("form", { name: "Report nodes" });
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Saved", { exact: true }).waitFor();
    const console = page.getByRole("region", { name: "console" });
    await console.getByText("sessionHours").waitFor();
    await console.getByText("The hours after which a session ends").waitFor();
    await expectGood("设置");
  });
});
