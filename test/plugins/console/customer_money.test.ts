import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "./customer_world.ts";
import { ConsoleServer, type Visit } from "./visitor.ts";

describe.runIf(browserRuns())("the money of a customer in the console", () => {
  let served: ConsoleServer;
  let world: CustomerWorld;
  let visit: Visit;
  beforeAll(async () => {
    served = await ConsoleServer.start([...CUSTOMER_PLUGINS, "ns_domain"]);
    world = new CustomerWorld(served.server);
    await world.setUp();
  });
  afterAll(() => served.stop());
  afterEach(() => visit.end());

  test("from an empty account to a paid plan, which is renewed and deleted", async () => {
    const nova = await world.customer("nova", "Nova Shop");
    visit = await served.visit();
    const { page } = visit;
    await visit.signIn(nova.key, "Customer");
    await page.getByRole("link", { name: "See plans and prices" }).click();
    await page.getByText("You have no plan yet. Choose one below.").waitFor();
    await page.getByText("100 GB of traffic a month").waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Buy Starter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Number of periods").fill("2");
    await dialog.getByText("18.00 is missing on your account.").waitFor();
    expect(await dialog.getByRole("button", { name: "Buy Starter" }).isDisabled()).toBe(true);
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Add 18.00" }).click();
    await dialog.getByLabel("Bank transfer").check();
    await dialog.getByRole("button", { name: "Order" }).click();
    await page.getByText("Pay 18.00 USD by Bank transfer").waitFor();
    await visit.expectAccessible();
    const code = (await page.locator(".payment code").textContent())!;
    await world.admin("UserOrderService/finishUserOrder", { code });

    await visit.open("plans");
    await page.getByRole("button", { name: "Buy Starter" }).click();
    await dialog.getByLabel("Number of periods").fill("1");
    await dialog.getByText("Balance afterwards 9.00").waitFor();
    await dialog.getByLabel("Name for this plan").fill("Shop");
    await dialog.getByRole("button", { name: "Buy Starter" }).click();
    await page.getByRole("row", { name: /^Shop Starter ends in \d+ days/ }).waitFor();
    await page.getByRole("button", { name: "Renew Shop" }).click();
    await dialog.getByRole("button", { name: "Renew Shop" }).click();
    await page.getByText("Balance 0.00").waitFor();
    await page.getByRole("button", { name: "Delete Shop" }).click();
    await dialog.getByText("Money is not paid back.").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("You have no plan yet.").waitFor();
  });

  test("traffic is bought from the balance, and by an order that is cancelled again", async () => {
    const ada = await world.customer("ada", "Ada");
    await world.pay(ada.userId, 50);
    visit = await served.visit({ width: 390, theme: "dark" });
    const { page } = visit;
    await visit.signIn(ada.key, "Customer");
    await visit.open("plans");
    await page.getByRole("button", { name: "Buy traffic" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("500 GB").check();
    await dialog.getByLabel("Number of packages").fill("2");
    await dialog.getByText("Balance afterwards 26.00").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Buy traffic" }).click();
    await page.getByText("Balance 26.00").waitFor();
    await expect.poll(() => page.getByText("500 GB of 500 GB").count()).toBe(2);
    await visit.expectAccessible();
    await visit.expectNoSidewaysScroll();

    await page.getByRole("button", { name: "Buy traffic" }).click();
    await dialog.getByLabel("12 months").check();
    await dialog.getByLabel(/Card/).check();
    await dialog.getByRole("button", { name: "Order" }).click();
    const pay = page.getByRole("link", { name: "Open the payment page" });
    expect(await pay.getAttribute("href")).toMatch(/^https:\/\/pay\.example\/checkout/);
    await visit.expectNoSidewaysScroll();
    await page.getByRole("button", { name: /^Cancel order/ }).click();
    await dialog.getByRole("button", { name: "Cancel order" }).click();
    await page.getByText("cancelled").waitFor();
    await visit.expectAccessible();
  });

  test("a bill is paid once, and the account shows what was booked", async () => {
    const bob = await world.customer("bob", "Bob");
    await world.bill(bob.userId);
    await world.pay(bob.userId, 100);
    visit = await served.visit();
    const { page } = visit;
    await visit.signIn(bob.key, "Customer");
    await page.getByText(/^The bill \d+ of [\d.]+ is open\.$/).waitFor();
    await page.getByRole("link", { name: "Pay", exact: true }).click();
    await visit.expectAccessible();
    await page.getByRole("button", { name: /^Pay the bill/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pay" }).click();
    await page.getByText(/^paid (now|\d+ seconds? ago)$/).waitFor();
    await page.getByRole("link", { name: "Account", exact: true }).click();
    await page.getByRole("row", { name: /Bill.*-/ }).waitFor();
    await page.getByRole("row", { name: /Money added Bank transfer \+100\.00 100\.00/ }).waitFor();
    await visit.expectAccessible();
    await page.getByLabel("Language").selectOption("中文");
    await page.getByRole("link", { name: "发票" }).click();
    await page.getByLabel("国家（两个字母，如 CN）").fill("Germany");
    await page.getByRole("button", { name: "保存地址" }).click();
    expect(await page.getByRole("alert").textContent()).toMatch(/^name: /);
    await page.getByLabel("个人或公司名称").fill("Bob");
    await page.getByLabel("邮寄地址（分行填写）").fill("Hauptstr. 1\nBerlin");
    await page.getByLabel("国家（两个字母，如 CN）").fill("DE");
    await page.getByRole("button", { name: "保存地址" }).click();
    await page.getByText("已保存。").waitFor();
    await visit.expectAccessible();
  });
});
