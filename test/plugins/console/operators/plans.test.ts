import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "../customer_world.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";
import { withJson } from "./with_json.ts";

describe.runIf(browserRuns())("plans in the console of operators", () => {
  let served: ConsoleServer;
  let world: CustomerWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start([...CUSTOMER_PLUGINS, "ns_domain", "user_quota"]);
    world = new CustomerWorld(served.server);
    await world.setUp();
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterEach(() => visit.end());

  async function planCalled(name: string) {
    const { plans } = await world.admin("PlanService/listEnabledPlans", { size: 1000 });
    return withJson(plans.find((plan: { readonly name: string }) => plan.name === name));
  }

  test("a plan is made with prices, limits and features, and changed", async () => {
    await visit.open("plans");
    await page.getByRole("row", { name: /Starter on sale 9\.00 per month, 25\.00 per three months/ }).waitFor();
    await page.getByRole("link", { name: "Add plan" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Studio");
    await page.getByLabel("Edge cluster").selectOption("Frankfurt");
    await page.getByLabel("Price for a month").fill("19.90");
    await page.getByLabel("Price for a year").fill("199");
    await page.getByLabel("Sites", { exact: true }).fill("5");
    await page.getByLabel("Requests a month").fill("1000000");
    await page.getByLabel("Size of an upload", { exact: true }).fill("200");
    await page.getByLabel("Limit the traffic of each site").check();
    await page.getByLabel("Traffic a month", { exact: true }).fill("2");
    await page.getByLabel("Traffic a month: unit").selectOption("TB");
    await page.getByLabel("Only these features").check();
    await page.getByLabel("firewall", { exact: true }).check();
    await page.getByLabel("WebSocket", { exact: true }).check();
    await page.getByRole("button", { name: "Add quota" }).click();
    await page.getByLabel("Quota 1").selectOption("certificates");
    await page.getByLabel("Highest number of certificates").fill("50");
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Studio" }).waitFor();
    const made = await planCalled("Studio");
    expect(made).toMatchObject({
      ...{ priceType: "period", monthlyPrice: 19.9, yearlyPrice: 199, totalServers: 5, monthlyRequests: 1_000_000 },
      clusterId: world.nodeClusterId,
      trafficLimitJSON: { isOn: true, monthlySize: { count: 2, unit: "tb" } },
      maxUploadSizeJSON: { count: 200, unit: "mb" },
      featuresJSON: ["server.waf", "server.websocket"],
      quotasJSON: [{ name: "certificates", max: 50 }],
    });

    await page.getByLabel("Users pay").selectOption("afterwards, for bandwidth");
    await page.getByLabel("Per MB, line 1").fill("3");
    await page.getByLabel("To, line 1").fill("100");
    await page.getByRole("button", { name: "Add line" }).click();
    await page.getByLabel("As a whole, line 2").fill("250");
    await page.getByLabel("firewall", { exact: true }).uncheck();
    await page.getByLabel("On sale").uncheck();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await planCalled("Studio")).toMatchObject({
      priceType: "bandwidth",
      bandwidthPriceJSON: {
        percentile: 95,
        ranges: [{ minMB: 0, maxMB: 100, pricePerMB: 3 }, { minMB: 100, totalPrice: 250 }],
      },
      trafficLimitJSON: { isOn: true, monthlySize: { count: 2, unit: "tb" } },
      featuresJSON: ["server.websocket"],
    });
    await page.getByRole("button", { name: "Delete plan" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete plan" }).click();
    await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
    expect(await planCalled("Studio")).toBeUndefined();
  });

  test("errors of a plan stand beside their field", async () => {
    await visit.open("plans/new");
    await page.getByLabel("Name", { exact: true }).fill("Odd");
    await page.getByLabel("Users pay").selectOption("afterwards, for bandwidth");
    await page.getByLabel("From, line 1").fill("50");
    await page.getByLabel("To, line 1").fill("20");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^bandwidthPriceJSON\.ranges\[0\]\.maxMB: /).waitFor();
    await page.getByLabel("Users pay").selectOption("in advance, for a period");
    await page.getByLabel("Name", { exact: true }).fill("n".repeat(300));
    await page.getByRole("button", { name: "Save" }).click();
    const error = page.getByRole("alert");
    await error.getByText(/^name: /).waitFor();
    const described = await page.getByLabel("Name", { exact: true }).getAttribute("aria-describedby");
    expect(described).toBe(await error.getAttribute("id"));
    expect(await error.count()).toBe(1);
    await visit.expectAccessible();
  });

  test("a plan that was changed elsewhere is not overwritten", async () => {
    const { planId } = await world.admin("PlanService/createPlan", {
      ...{ name: "Shared", priceType: "period", monthlyPrice: 5, hasFullFeatures: true },
    });
    await visit.open(`plans/${planId}`);
    await page.getByLabel("Price for a month").fill("6");
    await world.admin("PlanService/updatePlan", {
      ...{ planId, name: "Shared", priceType: "period", monthlyPrice: 7, isOn: true, hasFullFeatures: true },
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("It was changed elsewhere meanwhile.").waitFor();
    await visit.expectAccessible();
    expect((await planCalled("Shared")).monthlyPrice).toBe(7);
    await page.getByRole("button", { name: "Show what it is now" }).click();
    await expect.poll(() => page.getByLabel("Price for a month").inputValue()).toBe("7");
    await page.getByLabel("Price for a month").fill("8");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByLabel("Price for a month").fill("9");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await planCalled("Shared")).monthlyPrice).toBe(9);
  });
});
