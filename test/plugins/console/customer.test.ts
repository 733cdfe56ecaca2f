import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "./customer_world.ts";
import { DnsRecords } from "./dns_resolver.ts";
import { ConsoleServer, type Visit } from "./visitor.ts";

describe.runIf(browserRuns())("the console of a customer", () => {
  let dns: DnsRecords;
  let served: ConsoleServer;
  let world: CustomerWorld;
  let visit: Visit;
  beforeAll(async () => {
    dns = await DnsRecords.start();
    const domains = { use: "ns_domain", config: { resolvers: [dns.address] } };
    served = await ConsoleServer.start([...CUSTOMER_PLUGINS, domains]);
    world = new CustomerWorld(served.server);
    await world.setUp();
  });
  afterAll(async () => {
    await served.stop();
    dns.stop();
  });
  afterEach(() => visit.end());

  test("from an empty overview to a verified domain, by what the guide says", async () => {
    const nova = await world.customer("nova", "Nova Shop");
    visit = await served.visit();
    const { page } = visit;
    await visit.signIn(nova.key, "Customer");
    await page.getByText("Nothing needs you at present.").waitFor();
    await page.getByText("You have no plan.").waitFor();
    await visit.expectAccessible();
    await page.getByRole("link", { name: "Add domain" }).click();

    await page.getByLabel("Name", { exact: true }).fill("not a name");
    await page.getByRole("button", { name: "Add domain" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/^name: /);
    await visit.expectAccessible();
    await page.getByLabel("Name", { exact: true }).fill("nova.example");
    await page.getByRole("button", { name: "Add domain" }).click();
    await page.getByRole("heading", { name: "nova.example" }).waitFor();
    expect(await page.getByText("User id").count()).toBe(0);

    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("the domain has no NS records").waitFor();
    await visit.expectAccessible();
    await page.getByRole("tab", { name: "As zone file" }).click();
    const zone = await page.locator(".whole pre").textContent();
    expect(zone).toContain("nova.example. 600 IN NS ns1.edge.example.\n");
    const [, name, value] = /^(\S+)\. 600 IN TXT "(\w+)"$/m.exec(zone!)!;
    dns.ns.set("nova.example", ["ns1.edge.example", "ns2.edge.example"]);
    dns.txt.set(name!, [value!]);
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("Enter these name servers for nova.example").waitFor();
    await page.getByRole("tab", { name: "Records" }).click();
    await page.getByRole("button", { name: "Add record" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Nothing needs you at present.").waitFor();
    expect(await page.getByText("Your first domain").count()).toBe(0);
  });

  test("a name that another customer has verified is named before it is added, with what takes it over", async () => {
    const bob = await world.customer("bob", "Bob");
    const eve = await world.customer("eve", "Eve");
    const taken = { nsClusterId: 1, name: "taken.example", userId: bob.userId };
    const { nsDomainId } = await world.admin("NSDomainService/createNSDomain", taken);
    await world.admin("NSDomainService/updateNSDomainStatus", { nsDomainId, status: "verified" });
    visit = await served.visit({ width: 390, theme: "dark" });
    const { page } = visit;
    await visit.signIn(eve.key, "Customer");
    await visit.open("resource/NSDomain/new");
    await page.getByLabel("Name", { exact: true }).fill("taken.example");
    await page.getByRole("button", { name: "Add domain" }).click();
    await page.getByText("Another customer here has verified this name.").waitFor();
    await visit.expectAccessible();
    await visit.expectNoSidewaysScroll();
    await page.getByRole("button", { name: "Add domain" }).click();
    dns.ns.set("taken.example", ["ns1.edge.example"]);
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("It becomes yours as soon as the TXT record is found.").waitFor();
    await visit.expectAccessible();
    await visit.expectNoSidewaysScroll();
  });

  test("the overview says what to do, what there is and how much is left, in both languages", async () => {
    const ada = await world.customer("ada", "Ada");
    const { nsDomainId } = await world.admin("NSDomainService/createNSDomain", {
      ...{ nsClusterId: 1, name: "ada.example", userId: ada.userId },
    });
    await world.admin("NSDomainService/updateNSDomainStatus", { nsDomainId, status: "none" });
    await world.pay(ada.userId, 20);
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const bought = { planId: 1, name: "Shop" };
    const { userPlanId } = await world.admin("UserPlanService/buyUserPlan", {
      ...{ ...bought, userId: ada.userId, period: "monthly", countPeriod: 1 },
    });
    await world.admin("UserPlanService/updateUserPlan", { ...bought, userPlanId, isOn: true, dayTo: day });
    visit = await served.visit({ width: 390 });
    const { page } = visit;
    await visit.signIn(ada.key, "Customer");
    await page.getByText(/^The plan Shop ends in [45] days, on /).waitFor();
    await page.getByText("ada.example is not verified yet").waitFor();
    await page.getByText("0 of 3 sites").waitFor();
    await visit.expectAccessible();
    await visit.expectNoSidewaysScroll();
    await page.getByLabel("Language").selectOption("中文");
    await page.getByText(/^套餐 Shop 将于/).waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/[a-z]{4,} [a-z]{3,}/);
  });
});
