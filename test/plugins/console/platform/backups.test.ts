import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = ["admin", "api_access_token", "console", "installation", "user_access_key"];

describe.runIf(browserRuns())("backups in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS, { backup: { to: "backups" } });
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterAll(async () => {
    await visit.end();
    await served.stop();
  });

  async function work(button: string, confirm: string, outcome: string): Promise<void> {
    await page.getByRole("button", { name: button }).click();
    const dialog = page.getByRole("dialog");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: confirm }).click();
    await dialog.getByText(outcome).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
  }

  test("a backup is made, checked, and named in red when it is damaged", async () => {
    await visit.open("health");
    await page.getByText("no backup was made yet").waitFor();
    await page.getByRole("link", { name: "Show backups" }).click();
    await page.getByText("No backup was made yet.").waitFor();
    await page.getByText("2 days", { exact: true }).waitFor();
    await work("Make a backup now", "Make a backup now", "Done without an error.");
    await page.getByText("not checked").waitFor();
    await work("Check edgehelm-", "Check", "Done without an error.");
    await page.getByText("can be restored").waitFor();
    await visit.expectAccessible();
    const folder = join(dirname(served.environment["EDGEHELM_MANIFEST"]!), "backups");
    for (const name of await readdir(folder)) await writeFile(join(folder, name), "damaged");
    await work("Check edgehelm-", "Check", "It failed:");
    await page.getByText("cannot be restored").waitFor();
    await page.setViewportSize({ width: 390, height: 860 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await visit.expectAccessible();
  });
});
