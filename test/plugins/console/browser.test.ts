import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { KEY } from "../../harness/server.ts";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "./visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "node_cluster",
  "ns_cluster",
  "ns_domain",
  "ns_domain_group",
  "ns_record",
  "ns_route",
  "plan",
  "user",
  "user_access_key",
];

describe.runIf(browserRuns())("the console in a browser", () => {
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
  });
  afterEach(() => visit.end());

  /** Makes a plan, and returns its id. */
  async function planCalled(name: string): Promise<number> {
    return (await served.server.post("/PlanService/createPlan", { name, priceType: "period" })).data.planId;
  }

  async function add(kind: string, fill: () => Promise<unknown>): Promise<void> {
    await page.getByRole("link", { name: `Add ${kind}` }).first().click();
    await fill();
    await page.getByRole("button", { name: "Save" }).click();
  }

  test("a wrong key is refused in the words of the server, and the right one signs in", async () => {
    await visit.tryToSignIn({ ...KEY, secret: `${KEY.secret}x` });
    expect(await page.getByRole("alert").textContent()).toContain("access key not found");
    await visit.signIn();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
  });

  test("an operator makes a cluster and a domain, edits its zone, and deletes the domain", async () => {
    await visit.signIn();
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
    await visit.signIn();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("planservice createplan");
    await page.keyboard.press("Enter");
    await page.getByLabel("Name", { exact: true }).fill("Starter");
    expect(await page.locator("pre.code").first().textContent()).toContain(`${visit.url}/PlanService/createPlan`);
    await page.getByRole("tab", { name: "CLI" }).click();
    expect(await page.locator("pre.code").first().textContent()).toBe(
      "edgehelm PlanService createPlan --name 'Starter'",
    );
    await page.getByRole("button", { name: "Send" }).click();
    expect(await page.getByRole("alert").first().textContent()).toContain("priceType");
  });

  test("fields that contain JSON have forms, which write the JSON", async () => {
    await visit.signIn();
    await visit.open(`resource/Plan/${await planCalled("Starter")}/edit`);
    await page.getByLabel("Monthly price").fill("9.5");
    const limit = page.getByRole("group", { name: "Traffic limit" });
    await limit.getByRole("button", { name: "Set Daily size" }).click();
    await limit.getByLabel("Count").fill("20");
    await limit.getByLabel("Unit").selectOption("gb");
    const quotas = page.getByRole("group", { name: "Quotas" });
    await quotas.getByRole("button", { name: "JSON" }).click();
    await quotas.getByRole("textbox", { name: "Quotas" }).fill('[{"name": "nsDomains"');
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Save" }).click();
    expect(await page.getByRole("alert").first().textContent()).toMatch(/^quotasJSON: /);
    await quotas.getByRole("textbox", { name: "Quotas" }).fill("[]");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Starter" }).waitFor();
    await page.getByText("20 GB").waitFor();
  });

  test("objects are chosen by their names where a request wants their ids", async () => {
    const { data: { nodeClusterId } } = await served.server.post("/NodeClusterService/createNodeCluster", {
      name: "Frankfurt",
    });
    const groups = await Promise.all(["Shops", "Blogs"].map(async (name) => {
      const { data } = await served.server.post("/NSDomainGroupService/createNSDomainGroup", { name });
      return data.nsDomainGroupId;
    }));
    await visit.signIn();
    await visit.open(`resource/Plan/${await planCalled("Regional")}/edit`);
    await page.getByLabel("Edge cluster").selectOption("Frankfurt");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Regional" }).waitFor();
    const { data: { plans } } = await served.server.post("/PlanService/listEnabledPlans", { size: 10 });
    expect(plans.map(({ clusterId }: { clusterId: number }) => clusterId)).toContain(nodeClusterId);

    await visit.open("explorer/NSDomainService/createNSDomain");
    await page.getByLabel("Blogs").check();
    await page.getByLabel("Shops").check();
    await page.getByLabel("Shops").uncheck();
    await page.getByText(`"nsDomainGroupIds":[${groups[1]}]`).waitFor();
    await visit.expectAccessible();
  });

  test("what another window changed meanwhile is seen before it is overwritten", async () => {
    await visit.signIn();
    const { data: { nsClusterId } } = await served.server.post("/NSClusterService/createNSCluster", { name: "Asia" });
    await visit.open(`resource/NSCluster/${nsClusterId}/edit`);
    const other = await served.visit();
    await other.signIn();
    await other.open(`resource/NSCluster/${nsClusterId}/edit`);
    await other.page.getByLabel("Name", { exact: true }).fill("Asia Pacific");
    await other.page.getByLabel("Email").fill("dns@example.net");
    await other.page.getByRole("button", { name: "Save" }).click();
    await other.page.getByRole("heading", { name: "Asia Pacific" }).waitFor();
    await other.end();

    await page.getByLabel("Name", { exact: true }).fill("APAC");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Asia Pacific").waitFor();
    await visit.expectAccessible();
    expect(await page.getByLabel("Email").inputValue()).toBe("dns@example.net");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "APAC" }).waitFor();
    await page.getByText("dns@example.net").waitFor();
  });

  test("language and theme are chosen, and kept", async () => {
    await visit.signIn();
    await page.getByLabel("Language").selectOption("中文");
    await page.getByRole("heading", { name: "概览" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh");
    await page.getByLabel("主题").click();
    await page.reload();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.getByRole("heading", { name: "概览" }).waitFor();
  });

  test.each([390, 1280])("no page is wider than a window of %i pixels", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await visit.signIn();
    for (const place of ["resource/NSDomain", "resource/NSDomain/new", "resource/User", "explorer"]) {
      await page.goto(`${visit.url}/console#/${place}`);
      await page.getByRole("heading").first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
  });
});
