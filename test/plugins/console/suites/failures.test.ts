import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "console", "ns_cluster", "ns_domain", "ns_record", "ns_route", "plan", "user"],
  "user_access_key",
];
const PASSWORD = "correct horse battery";
const AWAY = "The server cannot be reached. What you typed is kept";

describe.runIf(browserRuns())("what goes wrong", () => {
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

  const refuse = (route: Route) => route.abort("connectionrefused");

  async function clustersNamed(name: string): Promise<number> {
    const { data } = await served.server.post("/NSClusterService/listNSClusters", { size: 1000 });
    return data.nsClusters.filter((cluster: { readonly name: string }) => cluster.name === name).length;
  }

  /** Counts the requests to an operation from now on. */
  function requestsTo(path: string): () => number {
    let count = 0;
    page.on("request", (request) => request.url().endsWith(path) && count++);
    return () => count;
  }

  test("a server that is away is waited for: what was typed stays, is saved once, and pages go on", async () => {
    await visit.signIn();
    await visit.open("resource/NSCluster/new");
    await page.getByLabel("Name", { exact: true }).fill("Europe");
    await page.route("**/*", refuse);
    await page.getByRole("button", { name: "Save" }).dblclick();
    await page.getByRole("status").getByText(AWAY).waitFor();
    await visit.expectAccessible();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Europe");
    await page.unroute("**/*", refuse);
    await page.getByRole("heading", { name: "Europe" }).waitFor();
    await page.getByRole("status").getByText(AWAY).waitFor({ state: "detached" });
    expect(await clustersNamed("Europe")).toBe(1);

    await page.route("**/*", refuse);
    await page.getByRole("link", { name: "Plans", exact: true }).click();
    await page.getByRole("status").getByText(AWAY).waitFor();
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await page.unroute("**/*", refuse);
    await page.getByText("There are no plans yet.").waitFor();
    visit.forgiveOutage();
    await visit.end();
  });

  test("a connection that breaks after the request arrived does not save twice", async () => {
    await visit.signIn();
    await visit.open("resource/NSCluster/new");
    await page.getByLabel("Name", { exact: true }).fill("Asia");
    let lost = 0;
    await page.route("**/NSClusterService/createNSCluster", async (route) => {
      if (lost === 6) return await route.continue();
      lost++;
      await route.fetch();
      await refuse(route);
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Asia" }).waitFor();
    expect([lost, await clustersNamed("Asia")]).toEqual([6, 1]);
    visit.forgiveOutage();
    await visit.end();
  });

  test("a double click sends once: a form, and a deletion", async () => {
    await visit.signIn();
    await visit.open("resource/NSCluster/new");
    const creations = requestsTo("/NSClusterService/createNSCluster");
    const deletions = requestsTo("/NSClusterService/deleteNSCluster");
    await page.getByLabel("Name", { exact: true }).fill("Twice");
    await page.getByRole("button", { name: "Save" }).dblclick();
    await page.getByRole("heading", { level: 1, name: "Twice" }).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).dblclick();
    await page.getByRole("heading", { level: 1, name: "Twice" }).waitFor({ state: "detached" });
    await visit.settled();
    expect([creations(), deletions()]).toEqual([1, 1]);
    await visit.end();
  });

  test("an admin with one module sees that one only, and reads why when it is taken away", async () => {
    const { data: { adminId } } = await served.server.post("/AdminService/createAdmin", {
      ...{ username: "zones", password: PASSWORD, fullname: "Zones", canLogin: true },
      modulesJSON: [{ code: "ns" }],
    });
    await visit.tryPassword("zones", PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await expect.poll(() => page.locator("nav h2").allTextContents())
      .toEqual(["DNS", "Users", "Admins", "Everything else"]);
    await visit.open("resource/Plan");
    await page.getByText("There is nothing here", { exact: false }).first().waitFor();
    await visit.open("resource/NSDomain");
    await page.getByText("There is nothing here yet.").waitFor();
    await served.server.post("/AdminService/updateAdmin", {
      ...{ adminId, username: "zones", fullname: "Zones", isOn: true, canLogin: true },
      modulesJSON: [{ code: "plan" }],
    });
    await page.getByRole("searchbox").fill("example");
    await page.getByRole("button", { name: "Apply" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("permission denied").waitFor();
    await visit.expectAccessible();
    await visit.end();
  });
});
