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

  test("an installation without backups says how to set them", async () => {
    await visit.open("backups");
    await page.getByText("No backups are made").waitFor();
    await page.getByText('"to": "/var/backups/edgehelm"').waitFor();
    await expectGood("备份");
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

  test("audit records are found, shown and exported", async () => {
    for (let index = 0; index < 60; index++) {
      const { code } = await served.server.post("/LogService/createLog", {
        ...{ level: index === 7 ? "error" : "info", description: `changed domain ${index}`, action: "/domains" },
        ip: index === 7 ? "198.51.100.7" : "192.0.2.1",
      });
      expect(code).toBe(200);
    }
    await visit.open("audit?keyword=changed+domain");
    await page.getByText("1–50 of 60").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("51–60 of 60").waitFor();
    await page.getByLabel("Level").selectOption("Error");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("1–1 of 1").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    expect((await download).suggestedFilename()).toBe("audit.csv");
    await page.getByText("1 record written").waitFor();
    await page.getByRole("button", { name: "changed domain 7", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("198.51.100.7").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("link", { name: "Records of this address" }).click();
    await page.getByText("1–1 of 1").waitFor();
    await expect.poll(() => page.getByLabel("Text, address or action").inputValue()).toBe("198.51.100.7");
    await page.getByLabel("Text, address or action").fill("no such thing");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("No record matches.").waitFor();
    await page.getByRole("link", { name: "Clear filter" }).click();
    await page.getByText(/^1–50 of \d+$/).waitFor();
    await expectGood("审计日志");
  });

  test("a change on record shows its fields before and after, and the log is verified", async () => {
    const { data } = await served.server.post("/NodeClusterService/createNodeCluster", { name: "Europe" });
    const update = { nodeClusterId: data.nodeClusterId, name: "Asia", isOn: true };
    await served.server.post("/NodeClusterService/updateNodeCluster", update);
    await visit.open("audit?source=audit&keyword=updateNodeCluster");
    await page.locator("td.what button").first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row", { name: "name Europe Asia" }).waitFor();
    await dialog.getByText("Request", { exact: true }).waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await visit.open("health");
    await page.getByRole("button", { name: "Verify now" }).click();
    await page.getByText("The verification has ended.").waitFor();
    await page.getByText("The audit log is whole.").waitFor();
    await expectGood("运行状况");
  });

  test("an admin gets modules, signs in with them, and has a profile", async () => {
    await visit.open("admins");
    await page.getByRole("link", { name: "Add admin" }).click();
    await page.getByLabel("Username").fill("no spaces please");
    await page.getByLabel("Password").fill("a night without alarms");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("username:").waitFor();
    await page.getByLabel("Username").fill("night.shift");
    await page.getByLabel("Full name").fill("Night Shift");
    await page.getByLabel("Audit log").check();
    await expectGood("添加管理员");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "night.shift" }).waitFor();
    await page.getByRole("button", { name: "Create access key" }).click();
    await page.getByRole("dialog").getByRole("textbox").first().fill("Pager");
    await page.getByRole("dialog").getByRole("button", { name: /^Create/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await page.getByRole("region", { name: "Access keys" }).getByText("Pager").waitFor();
    await expectGood("night.shift");
    await visit.open("admins");
    await page.getByRole("row").filter({ hasText: "night.shift" }).getByText("Audit log").waitFor();
    await expectGood("管理员");

    const other = await served.visit();
    await other.tryPassword("night.shift", "a night without alarms");
    await other.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await other.open("profile");
    await other.page.getByText("Audit log").waitFor();
    await other.page.getByLabel("Full name").fill("The night shift");
    await other.page.getByRole("button", { name: "Save" }).click();
    await other.page.getByText("Saved", { exact: true }).waitFor();
    await other.page.getByRole("link", { name: "Audit", exact: true }).waitFor();
    expect(await other.page.getByRole("link", { name: "Jobs", exact: true }).count()).toBe(0);
    await other.expectAccessible();
    await other.end();

    await page.getByRole("link", { name: "night.shift" }).click();
    await page.getByLabel("Super admin").check();
    await page.getByRole("group", { name: "Modules" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete admin" }).click();
    await page.getByRole("dialog").getByText("The night shift can no longer sign in").waitFor();
    const recorded = page.waitForResponse((response) =>
      response.url().includes("createLog") && (response.request().postData()?.includes("deleteAdmin") ?? false)
    );
    await page.getByRole("dialog").getByRole("button", { name: "Delete admin" }).click();
    await page.getByText("1–1 of 1").waitFor();
    await recorded;

    await visit.open("audit?keyword=deleteAdmin");
    await page.getByRole("button", { name: /^AdminService\/deleteAdmin adminId \d+$/ }).click();
    await page.getByRole("dialog").getByText(/^#\/admins\/\d+$/).waitFor();
    await page.getByRole("dialog").getByText(/127\.0\.0\.1|::1/).waitFor();
  });
});
