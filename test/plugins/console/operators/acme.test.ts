import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { pebbleRuns } from "../../../servers/pebble.ts";
import { ServedSite } from "../../acme_task/served_site.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

describe.runIf(browserRuns() && pebbleRuns())("automatic certificates in a browser", () => {
  let site: ServedSite;
  let served: ConsoleServer;
  let visit: Visit;
  beforeAll(async () => {
    site = await ServedSite.open({ plugins: ["console", "login"] });
    served = await ConsoleServer.on(site.environment);
    site.server = served.server;
    const { nsClusterId } = await site.call("NSClusterService/createNSCluster", { name: "dns" });
    await site.call("NSDomainService/createNSDomain", { nsClusterId, name: "shop.example.com" });
    visit = await served.visit();
    await visit.signIn();
  });
  afterAll(async () => {
    await visit?.end();
    await served?.stop();
    await site?.[Symbol.asyncDispose]();
  });

  test("an ACME user is registered, a certificate is ordered, and the words of the provider are there", async () => {
    const { page } = visit;
    await visit.open("acme");
    await page.getByText("No certificate is ordered automatically yet.").waitFor();
    await page.getByRole("button", { name: "Add ACME user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email address").fill("ada@example.com");
    await dialog.getByLabel("Provider").selectOption("pebble");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Add ACME user" }).click();
    const users = page.locator(".acme-users");
    await users.getByRole("row").filter({ hasText: "ada@example.com" }).getByText("registered", { exact: true })
      .waitFor();
    expect(await users.getByRole("row").filter({ hasText: "Pebble" }).count()).toBe(1);

    await order("shop.example.com");
    const row = page.getByRole("row").filter({ hasText: "shop.example.com" });
    await row.getByRole("button", { name: "Order a certificate for shop.example.com now" }).click();
    await dialog.getByRole("button", { name: "Order now" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await row.getByText("issued", { exact: true }).waitFor();
    await row.getByText("none planned").waitFor();
    await row.getByRole("button", { name: "Results for shop.example.com" }).click();
    await dialog.getByText("issued", { exact: true }).waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 860 });
    await visit.expectNoSidewaysScroll();
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test("the key of an ACME user is replaced, and a certificate is revoked", async () => {
    const { page } = visit;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Replace the private key of ada@example.com" }).click();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Replace key" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(site.pebble.lines.some((line) => line.includes("POST /rollover-account-key"))).toBe(true);

    await page.getByRole("button", { name: "Delete the ACME user ada@example.com" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByText("is used by ACME task").waitFor();
    await page.keyboard.press("Escape");

    const row = page.getByRole("row").filter({ hasText: "shop.example.com" });
    const revoke = row.getByRole("button", { name: "Revoke the certificate for shop.example.com" });
    await revoke.click();
    await dialog.getByText("No new certificate is ordered").waitFor();
    await dialog.getByLabel("Reason").selectOption("The certificate was replaced");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await row.getByText("certificate off").waitFor();
    expect(await revoke.count()).toBe(0);
  });

  test("errors of the installation and of the provider are shown, and a task is deleted", async () => {
    const { page } = visit;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Order certificate" }).click();
    await dialog.getByRole("textbox", { name: /^Domains/ }).fill("other.example.org");
    await dialog.getByLabel("Verified domain").fill("shop.example.com");
    await dialog.getByRole("button", { name: "Order certificate" }).click();
    await dialog.getByText("must be at or below shop.example.com").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);

    await site.pebble.stop();
    await order("www.shop.example.com");
    const row = page.getByRole("row").filter({ hasText: "www.shop.example.com" });
    await row.getByRole("button", { name: "Order a certificate for www.shop.example.com now" }).click();
    await dialog.getByRole("button", { name: "Order now" }).click();
    await dialog.getByText("cannot be reached").waitFor();
    await visit.expectAccessible();
    await page.keyboard.press("Escape");
    await row.getByText("will be repeated").waitFor();
    await row.getByText("cannot be reached").waitFor();

    await row.getByRole("button", { name: "Delete the task for www.shop.example.com" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => row.count()).toBe(0);
  });

  test("an ACME user is deleted that no task needs", async () => {
    const { page } = visit;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Delete the task for shop.example.com" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No certificate is ordered automatically yet.").waitFor();
    await page.getByRole("button", { name: "Delete the ACME user ada@example.com" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => page.locator(".acme-users").count()).toBe(0);
  });

  /** Orders a certificate that is not renewed by itself. */
  async function order(name: string): Promise<void> {
    const { page } = visit;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Order certificate" }).click();
    await dialog.getByRole("textbox", { name: /^Domains/ }).fill(name);
    await dialog.getByLabel("Verified domain").fill("shop.example.com");
    await dialog.getByLabel("Renew automatically").uncheck();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Order certificate" }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole("row").filter({ hasText: name }).getByText("not ordered").waitFor();
  }
});
