import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf } from "../../../plugins/login/totp.ts";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { KEY } from "../../harness/server.ts";
import { ConsoleServer } from "./visitor.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "console", "login", "ns_cluster", "plan", "user_access_key"],
  { use: "user", config: { registration: true } },
];
const PASSWORD = "correct horse battery";

describe.runIf(browserRuns())("signing in", () => {
  let served: ConsoleServer;
  let username: string;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    const visit = await served.visit();
    await visit.signIn();
    await visit.open("security");
    await visit.page.getByLabel("New password").fill("short");
    await visit.page.getByRole("button", { name: "Change password" }).click();
    await visit.page.getByRole("alert").getByText("password: must have at least 8 characters").waitFor();
    await visit.page.getByLabel("New password").fill(PASSWORD);
    await visit.page.getByRole("button", { name: "Change password" }).click();
    await visit.page.getByRole("button", { name: "Sign in" }).waitFor();
    await visit.end();
    username = "admin";
  });
  afterAll(() => served.stop());

  test("a wrong password is refused, the right one signs in, reloading keeps the session, signing out ends it", async () => {
    const visit = await served.visit();
    const { page } = visit;
    await visit.expectAccessible();
    await visit.tryPassword(username, "something else");
    expect(await page.getByRole("alert").textContent()).toContain("the username or the password is wrong");
    await visit.tryPassword(username, PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await visit.open("resource/Plan");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Plans" }).waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")).not.toMatch(/eyJ|session/);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await visit.end();
  });

  test("a customer registers, sees which field is wrong, keeps what is typed, and is signed in", async () => {
    const visit = await served.visit();
    const { page } = visit;
    expect(await page.getByRole("link", { name: "No account yet? Register" }).count()).toBe(0);
    await page.getByLabel("Customer").check();
    await page.getByRole("link", { name: "No account yet? Register" }).click();
    await page.getByRole("heading", { name: "Register" }).waitFor();
    await visit.expectAccessible();
    await page.getByLabel("Username").fill("mary somerville");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Name", { exact: true }).fill("Mary Somerville");
    await page.getByLabel("Email address").fill("mary@example.com");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("alert").getByText("username: must be 2 to 64 letters").waitFor();
    await visit.expectAccessible();
    expect(await page.getByLabel("Password").inputValue()).toBe(PASSWORD);
    await page.getByLabel("Username").fill("mary");
    await page.getByRole("button", { name: "Register" }).dblclick();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("link", { name: "Mary Somerville" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await visit.tryPassword("mary", PASSWORD, "Customer");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await visit.end();
  });

  test("a session that another one ends leads to the sign-in, and back to the draft", async () => {
    const [visit, other] = [await served.visit(), await served.visit()];
    const { page } = visit;
    await visit.signIn();
    await visit.open("resource/NSCluster/new");
    await page.getByLabel("Name", { exact: true }).fill("Europe");

    await other.tryPassword(username, PASSWORD);
    await other.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await other.open("security");
    await other.page.getByText("This session").waitFor();
    await other.expectAccessible();
    await other.page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await other.page.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" });
    await expect.poll(() => other.page.locator("tbody tr").count()).toBe(1);

    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your session has ended.").waitFor();
    await visit.expectAccessible();
    await visit.tryToSignIn(KEY);
    await page.getByRole("heading", { name: "Europe" }).waitFor();
    await Promise.all([visit.end(), other.end()]);
  });

  test("a second factor is set up, asked for, and turned off; recovery codes work once", async () => {
    const visit = await served.visit();
    const { page } = visit;
    await visit.tryPassword(username, PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await visit.open("security");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("img", { name: "QR code of the key" }).waitFor();
    await visit.expectAccessible();
    const secret = (await page.locator("section code").textContent())!;
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("alert").getByText("the code is wrong").waitFor();
    await page.getByLabel("Code", { exact: true }).fill(await codeOf(secret, BigInt(Math.floor(Date.now() / 30_000))));
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("heading", { name: "Recovery codes" }).waitFor();
    await visit.expectAccessible();
    const [recovery] = await page.locator(".codes code").allTextContents();

    for (const [typed, isAccepted] of [["000000", false], [recovery!, true], [recovery!, false]] as const) {
      const other = await served.visit();
      await other.tryPassword(username, PASSWORD);
      await other.page.getByLabel("Code", { exact: true }).fill(typed);
      await other.expectAccessible();
      await other.page.getByRole("button", { name: "Sign in" }).click();
      if (isAccepted) await other.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      else await other.page.getByRole("alert").getByText("the code is wrong, or was used already").waitFor();
      await other.end();
    }

    await page.getByLabel("Current password, to turn it off").fill(PASSWORD);
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("the password is enough").waitFor();
    await visit.end();
  });

  test.each([390, 1280])("its pages fit a window of %i pixels, in both themes and languages", async (width) => {
    for (const theme of ["light", "dark"] as const) {
      const visit = await served.visit({ width, theme });
      await visit.expectAccessible();
      await visit.expectNoSidewaysScroll();
      await visit.signIn();
      await visit.open("security");
      await visit.page.getByText("This session").waitFor();
      await visit.expectAccessible();
      await visit.expectNoSidewaysScroll();
      await visit.end();
    }
  });
});
