import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "../customer_world.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

describe.runIf(browserRuns())("users in the console of operators", () => {
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

  test("a user is turned off and on again, and keeps everything else", async () => {
    const { userId } = await world.customer("fern", "Fern & Sons");
    await visit.open(`resource/User/${userId}`);
    await page.getByText("The user may do everything that their plans allow.").waitFor();
    // another admin changes the user while the page is open
    await world.admin("UserService/updateUser", {
      ...{ userId, username: "fern", fullname: "Fern & Sons", email: "post@fern.example", remark: "Moved", isOn: true },
      nodeClusterId: world.nodeClusterId,
    });
    const before = await world.admin("UserService/findEnabledUser", { userId });
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Turn off" }).click();
    const dialog = page.getByRole("dialog", { name: "Turn off Fern & Sons" });
    await dialog.getByText("Nothing is deleted").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("An admin turned the user off.").waitFor();
    expect((await world.admin("UserService/findEnabledUser", { userId })).user.isOn).toBeFalsy();
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
    await page.getByText("The user may do everything that their plans allow.").waitFor();
    expect(await world.admin("UserService/findEnabledUser", { userId })).toEqual(before);
  });

  test("money is added and paid out, and the entries say why", async () => {
    const { userId } = await world.customer("moss", "Moss Bikes");
    await world.bill(userId);
    await visit.open(`resource/User/${userId}`);
    await page.getByText(/^1 bill, [\d.]+ in all$/).waitFor();
    expect(await page.getByRole("button", { name: "Pay out money" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Add money" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount").fill("120.50");
    await dialog.getByLabel("Description").fill("Bank transfer of 3 May");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Add money" }).click();
    await page.getByRole("row", { name: /Money added Bank transfer of 3 May \+120\.50 120\.50/ }).waitFor();
    await page.getByRole("button", { name: "Pay out money" }).click();
    await dialog.getByLabel("Amount").fill("200");
    await dialog.getByRole("button", { name: "Pay out money" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Amount").fill("20.50");
    await dialog.getByRole("button", { name: "Pay out money" }).click();
    await page.getByRole("row", { name: /Money paid out.*-20\.50 100\.00/ }).waitFor();
    await page.getByRole("button", { name: "Theme" }).click();
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
  });

  test("the state of a user claims only what the admin may see", async () => {
    const { userId } = await world.customer("ivy", "Ivy Books");
    await world.bill(userId);
    await page.route(
      "**/UserAccountService/findEnabledUserAccountWithUserId",
      (route) => route.fulfill({ json: { code: 200, message: "ok", data: {} } }),
    );
    await visit.open(`resource/User/${userId}`);
    await page.getByText(/^1 bill, [\d.]+ in all$/).waitFor();
    expect(await page.getByRole("button", { name: "Add money" }).count()).toBe(0);
    const login = { username: "sites", password: "sites are my work" };
    await world.admin("AdminService/createAdmin", {
      ...{ ...login, fullname: "Sites", canLogin: true, modulesJSON: [{ code: "server" }] },
    });
    const other = await served.visit();
    await other.tryPassword(login.username, login.password);
    await other.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await other.open(`resource/User/${userId}`);
    await other.page.getByText("The user is verified. You may not see bills").waitFor();
    expect(await other.page.getByText("Open bills").count()).toBe(0);
    await other.expectAccessible();
    await other.end();
  });

  test("a registration is rejected with a reason, and approved later", async () => {
    const { userId } = await world.admin("UserService/registerUser", {
      ...{ username: "reed", password: "walks in the rain", fullname: "Reed", email: "reed@reed.example" },
    });
    await visit.open(`resource/User/${userId}`);
    await page.getByText("The user registered and waits for your decision.").waitFor();
    await page.getByRole("button", { name: "Reject" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason, which the user sees").fill("No address");
    await dialog.getByRole("button", { name: "Reject" }).click();
    await page.getByText("Reason: No address").waitFor();
    await page.getByLabel("Language").selectOption("中文");
    await page.getByRole("button", { name: "通过审核" }).click();
    await dialog.getByRole("button", { name: "通过审核" }).click();
    await page.getByText("用户可以使用其套餐允许的全部功能。").waitFor();
    await visit.expectAccessible();
  });
});
