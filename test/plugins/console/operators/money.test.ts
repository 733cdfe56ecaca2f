import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "../customer_world.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";
import { withJson } from "./with_json.ts";

describe.runIf(browserRuns())("money in the console of operators", () => {
  let served: ConsoleServer;
  let world: CustomerWorld;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start([...CUSTOMER_PLUGINS, "ns_domain"]);
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
