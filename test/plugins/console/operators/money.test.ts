import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "../customer_world.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

describe.runIf(browserRuns())("plans and money in the console of operators", () => {
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

  /** Returns the calls of a customer. */
  async function customerCalls(key: { readonly id: string; readonly secret: string }) {
    const { data } = await served.server.post("/APIAccessTokenService/getAPIAccessToken", {
      ...{ type: "user", accessKeyId: key.id, accessKey: key.secret },
    });
    return async (path: string, request: object) =>
      (await served.server.postWith(data.token, `/${path}`, request)).data;
  }

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

  test("bills are filtered, and one is paid from the balance", async () => {
    const { userId } = await world.customer("fern", "Fern & Sons");
    const other = await world.customer("moss", "Moss Bikes");
    await world.bill(other.userId);
    await world.bill(userId);
    await visit.open("bills");
    await page.getByLabel("User", { exact: true }).selectOption("fern");
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("button", { name: "Paid", exact: true }).click();
    await page.getByText("There are no such bills.").waitFor();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByLabel("Month").fill("2020-01");
    await page.getByLabel("Month").blur();
    await page.getByText("There are no such bills.").waitFor();
    expect(page.url()).toContain("month=2020-01");
    await page.getByLabel("Month").fill("");
    await page.getByLabel("Month").blur();
    await rows.getByRole("link", { name: "Fern & Sons" }).waitFor();
    await visit.expectAccessible();
    await rows.locator("a.main").click();
    await page.getByText("100.00 GB of 1 site").waitFor();
    await page.getByRole("button", { name: "Pay from the balance" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("5.00 is missing on the account.").waitFor();
    await visit.expectAccessible();
    expect(await dialog.getByRole("button", { name: "Pay from the balance" }).isDisabled()).toBe(true);
    await world.pay(userId, 30);
    await page.reload();
    await page.getByRole("button", { name: "Pay from the balance" }).click();
    await dialog.getByText("5.00 is taken from the balance of Fern & Sons.").waitFor();
    await dialog.getByText("Balance afterwards: 25.00").waitFor();
    await dialog.getByRole("button", { name: "Pay from the balance" }).click();
    await page.getByRole("row", { name: /bill \d+ -5\.00 25\.00/ }).waitFor();
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
  });

  test("an order is marked as paid and refunded in part, and the refund fails", async () => {
    const { userId, key } = await world.customer("ivy", "Ivy Books");
    const own = await customerCalls(key);
    const { code } = await own("UserOrderService/createUserOrder", {
      ...{ type: "charge", orderMethodCode: "bank", amount: 80 },
    });
    await visit.open("orders");
    await page.getByRole("button", { name: "Waiting", exact: true }).click();
    await page.getByLabel("Code", { exact: true }).fill(code);
    await page.getByLabel("Code", { exact: true }).press("Enter");
    await page.getByRole("row", { name: /Ivy Books the account Bank transfer .* waits for payment 80\.00 USD/ })
      .waitFor();
    await visit.expectAccessible();
    await page.getByRole("link", { name: code }).click();
    await page.getByRole("button", { name: "Mark as paid" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("80.00 USD of Ivy Books has arrived").waitFor();
    await dialog.getByRole("button", { name: "Mark as paid" }).click();
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await dialog.getByLabel("Amount").fill("30");
    await dialog.getByLabel("Reason").fill("Paid twice");
    await dialog.getByText("30.00 USD is taken from the account of Ivy Books.").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Refund 30.00 USD" }).click();
    await page.getByRole("row", { name: /Paid twice waiting 30\.00 USD/ }).waitFor();
    await page.getByText("30.00 USD paid back").waitFor();
    const balance = async () =>
      (await world.admin("UserAccountService/findEnabledUserAccountWithUserId", { userId })).userAccount.total;
    expect(await balance()).toBe(50);

    await page.getByRole("button", { name: /^Mark the refund \d+ as failed$/ }).click();
    await dialog.getByText("30.00 USD returns to the account of the user").waitFor();
    await dialog.getByLabel("Cause").fill("The bank refused it");
    await dialog.getByRole("button", { name: "Failed" }).click();
    await page.getByRole("row", { name: /Paid twice The bank refused it failed 30\.00 USD/ }).waitFor();
    await expect.poll(balance).toBe(80);
    await page.getByRole("button", { name: "Refund", exact: true }).waitFor();
    await visit.open("orders/refunds");
    await page.getByRole("button", { name: "Failed", exact: true }).first().click();
    await page.getByRole("row", { name: new RegExp(`^${code} Ivy Books .*The bank refused it`) }).waitFor();
    await visit.expectAccessible();
  });

  test("an invoice is issued when the address is known, and corrected by a credit note", async () => {
    const { userId } = await world.customer("reed", "Reed Paper");
    await visit.open("invoices");
    await page.getByRole("link", { name: "Issue invoice" }).click();
    await page.getByRole("combobox", { name: "User" }).selectOption("reed");
    await page.getByRole("button", { name: "Add line" }).click();
    await page.getByLabel("Description of line 1").fill("Setting up");
    await page.getByLabel("Amount of line 1").fill("120");
    await page.getByRole("button", { name: "Issue invoice" }).click();
    await page.getByRole("alert").waitFor();
    await visit.expectAccessible();
    await page.getByLabel("Name of the person or company").fill("Reed Paper Ltd");
    await page.getByLabel("Postal address, in lines").fill("2 Mill Lane\nCork");
    await page.getByLabel("Country, two letters such as DE").fill("IE");
    await page.getByRole("button", { name: "Save address" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("button", { name: "Issue invoice" }).click();
    await page.getByRole("heading", { level: 1, name: /^INV-\d{4}-\d{6}, invoice$/ }).waitFor();
    await page.getByText("Setting up").waitFor();
    await page.getByText("Edge Ltd., 1 Harbour Street, Dublin").waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Correct" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A credit note for Reed Paper Ltd is issued").waitFor();
    await dialog.getByLabel("Amount").fill("20");
    await dialog.getByLabel(/^Reason/).fill("Less work");
    await dialog.getByRole("button", { name: "Issue credit note" }).click();
    await page.getByRole("heading", { level: 1, name: /^CN-\d{4}-\d{6}, credit note$/ }).waitFor();
    await page.getByRole("link", { name: /^INV-/ }).waitFor();
    await visit.open(`invoices?user=${userId}`);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
    await page.getByRole("row", { name: /credit note INV-.*-20\.00 USD/ }).waitFor();
    await visit.expectAccessible();
  });

  test("a payment method is added and changed, and its secret is never shown", async () => {
    await visit.open("payment-methods");
    await page.getByRole("row", { name: /Bank transfer bank offered An operator/ }).waitFor();
    await page.getByRole("link", { name: "Add payment method" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Wallet");
    await page.getByLabel("Code", { exact: true }).fill("no spaces");
    await page.getByLabel("A payment provider").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText(/^code: /).waitFor();
    await visit.expectAccessible();
    await page.getByLabel("Code", { exact: true }).fill("wallet");
    await page.getByLabel("Address that takes refunds").fill("https://pay.example/refunds");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Wallet" }).waitFor();
    await page.getByText("It is not shown here.").waitFor();
    const stored = async () =>
      withJson(
        (await world.admin("OrderMethodService/findEnabledOrderMethodWithCode", { code: "wallet" })).orderMethod,
      );
    const { secret, id } = await stored();
    expect(await page.content()).not.toContain(secret);
    await world.admin("OrderMethodService/updateOrderMethod", {
      ...{ orderMethodId: id, name: "Wallet", isOn: true },
      paramsJSON: {
        secrets: ["whsec_cHJldmlvdXMgc2VjcmV0IG9mIHRoZSBtZXRob2Q="],
        refundURL: "https://pay.example/back",
      },
    });
    await page.getByLabel("Text beside a QR code").fill("Scan to pay");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("It was changed elsewhere meanwhile.").waitFor();
    await page.getByRole("button", { name: "Show what it is now" }).click();
    await expect.poll(() => page.getByLabel("Address that takes refunds").inputValue()).toMatch(/back$/);
    await page.getByLabel("Address that takes refunds").fill("https://pay.example/new");
    await page.getByLabel("Offered to users").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const changed = await stored();
    expect(changed).toMatchObject({ secret, params: { refundURL: "https://pay.example/new" } });
    expect(changed.params.secrets).toHaveLength(1);
    expect(changed.isOn).toBeFalsy();
    expect(await page.content()).not.toContain("whsec_");
    await visit.open("payment-methods");
    await page.getByRole("row", { name: /Wallet wallet not offered A payment provider/ }).waitFor();
    await visit.expectAccessible();
  });
});

/** Reads the fields of a response that contain JSON. */
// deno-lint-ignore no-explicit-any -- the shape of the object depends on the operation
function withJson(object: any) {
  if (object === undefined) return undefined;
  const entries = Object.entries(object).map(([name, value]) => {
    const isJson = /JSON$|^params$/.test(name) && typeof value === "string" && value !== "";
    return [name, isJson ? JSON.parse(atob(value)) : value];
  });
  return Object.fromEntries(entries);
}
