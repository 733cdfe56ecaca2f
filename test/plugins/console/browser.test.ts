import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, KEY, removeInstallation, Server } from "../../harness/server.ts";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "ns_cluster",
  "ns_domain",
  "ns_record",
  "ns_route",
  "plan",
  "user",
  "user_access_key",
];

describe.runIf(browserRuns())("the console in a browser", () => {
  let installation: Record<string, string>;
  let server: Server;
  let browser: Browser;
  let page: Page;
  /** The errors of the page, and its requests to other origins; there must be none. */
  let faults: string[];
  beforeAll(async () => {
    installation = await installationDirectory(PLUGINS);
    server = await Server.start({ ...installation, ...CHOSEN_KEY });
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await removeInstallation(installation);
  });
  beforeEach(async () => {
    faults = [];
    page = await browser.newPage({ locale: "en" });
    page.setDefaultTimeout(120_000);
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) faults.push(request.url());
    });
    await page.goto(`${server.url}/console`);
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  async function signIn(key: { readonly id: string; readonly secret: string }, role = "Operator"): Promise<void> {
    await page.getByLabel(role).check();
    await page.getByLabel("Access key id").fill(key.id);
    await page.getByLabel("Access key", { exact: true }).fill(key.secret);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  async function add(kind: string, fill: () => Promise<unknown>): Promise<void> {
    await page.getByRole("link", { name: `Add ${kind}` }).first().click();
    await fill();
    await page.getByRole("button", { name: "Save" }).click();
  }

  test("a wrong key is refused in the words of the server, and the right one signs in", async () => {
    await signIn({ ...KEY, secret: `${KEY.secret}x` });
    expect(await page.getByRole("alert").textContent()).toContain("access key not found");
    await signIn(KEY);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  test("an operator makes a cluster and a domain, edits its zone, and deletes the domain", async () => {
    await signIn(KEY);
    await page.getByRole("link", { name: "Clusters", exact: true }).first().click();
    await add("DNS cluster", () => page.getByLabel("Name", { exact: true }).fill("Europe"));
    await page.getByRole("heading", { name: "Europe" }).waitFor();

    await page.getByRole("link", { name: "Domains", exact: true }).first().click();
    await add("domain", () => page.getByLabel("Name", { exact: true }).fill("not a name"));
    expect(await page.getByRole("alert").first().textContent()).toMatch(/^name: /);
    await page.getByLabel("Name", { exact: true }).fill("example.com");
    await page.getByLabel("DNS cluster").selectOption("Europe");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "example.com" }).waitFor();

    for (const [name, value] of [["@", "203.0.113.1"], ["www", "203.0.113.2"]] as const) {
      await page.getByRole("button", { name: "Add record" }).click();
      await page.getByLabel("Name").first().fill(name);
      await page.getByLabel("Value").first().fill(value);
    }
    await page.getByText("2 changes").waitFor();
    await page.getByRole("button", { name: "Apply changes" }).click();
    await page.getByRole("status").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete www A" }).click();
    await page.getByText("1 change", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Add record" }).click();
    await page.getByLabel("Value").first().fill("not an address");
    await page.getByRole("button", { name: "Apply changes" }).click();
    await page.getByRole("alert").getByText("value: must be an IPv4 address").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();

    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("There is nothing here yet.").waitFor();
  });

  test("the keyboard finds an operation, and the explorer calls it", async () => {
    await signIn(KEY);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("planservice createplan");
    await page.keyboard.press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("Starter");
    expect(await page.locator("pre.code").first().textContent()).toContain(`${server.url}/PlanService/createPlan`);
    await page.getByRole("tab", { name: "CLI" }).click();
    expect(await page.locator("pre.code").first().textContent()).toBe(
      "edgehelm PlanService createPlan --name 'Starter'",
    );
    await page.getByRole("button", { name: "Send" }).click();
    expect(await page.getByRole("alert").first().textContent()).toContain("priceType");
  });

  test("language and theme are chosen, and kept", async () => {
    await signIn(KEY);
    await page.getByLabel("Language").selectOption("中文");
    await page.getByRole("heading", { name: "概览" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh");
    await page.getByLabel("主题").click();
    await page.reload();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.getByRole("button", { name: "登录" }).waitFor();
  });

  test.each([390, 1280])("no page is wider than a window of %i pixels", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await signIn(KEY);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    for (const place of ["resource/NSDomain", "resource/NSDomain/new", "resource/User", "explorer"]) {
      await page.goto(`${server.url}/console#/${place}`);
      await page.getByRole("heading").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
  });
});
