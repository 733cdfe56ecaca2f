import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { CUSTOMER_PLUGINS, CustomerWorld } from "./customer_world.ts";
import { ConsoleServer, type Visit } from "./visitor.ts";

describe.runIf(browserRuns())("the access keys and objects of a customer in the console", () => {
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

  test("a key is made and shown once, works, is turned off and deleted by its name", async () => {
    const nova = await world.customer("nova", "Nova Shop");
    visit = await served.visit();
    const { page } = visit;
    await visit.signIn(nova.key, "Customer");
    await page.getByRole("link", { name: "Access keys" }).click();
    await page.getByRole("button", { name: "Create access key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What it is for").fill("Deploy scripts");
    await dialog.getByLabel("It may only read").check();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Create access key" }).click();
    await dialog.getByText("Copy the secret now: it is not shown again.").waitFor();
    await visit.expectAccessible();
    const [id, secret] = await dialog.locator("code").allTextContents();
    const request = { type: "user", accessKeyId: id, accessKey: secret };
    const tokenOf = () => served.server.postWith("", "/APIAccessTokenService/getAPIAccessToken", request);
    const { data } = await tokenOf();
    const create = () => served.server.postWith(data.token, "/NSDomainService/createNSDomain", { name: "n.example" });
    expect((await create()).code).toBe(403);
    await dialog.getByRole("button", { name: "Copy Access key", exact: true }).click();
    await dialog.getByText("Copied").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();

    const row = page.getByRole("row", { name: /^Deploy scripts/ });
    await row.getByText("reads only").waitFor();
    expect(await page.locator("main").textContent()).not.toContain(secret);
    await page.getByRole("button", { name: "Turn off Deploy scripts" }).click();
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await row.getByText("off", { exact: true }).waitFor();
    expect((await tokenOf()).code).not.toBe(200);
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
    await page.getByRole("button", { name: "Delete Deploy scripts" }).click();
    await dialog.getByText("Programs that use Deploy scripts can no longer sign in").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
  });

  test.each([390, 1280])("lists and forms at %i pixels have no columns of the operator", async (width) => {
    const { userId, key } = await world.customer(`ada${width}`, "Ada");
    await world.bill(userId);
    const domain = { nsClusterId: 1, name: `ada${width}.example`, userId };
    const { nsDomainId } = await world.admin("NSDomainService/createNSDomain", domain);
    visit = await served.visit({ width, theme: "dark" });
    const { page } = visit;
    await visit.signIn(key, "Customer");
    const links = await page.locator("nav a").evaluateAll((places) =>
      places.map((place) => place.getAttribute("href")!.slice(2))
    );
    expect(links).toContain("resource/Server");
    const objects = [`resource/NSDomain/${nsDomainId}`, `resource/NSDomain/${nsDomainId}/edit`, "resource/Server/new"];
    for (const place of [...links.filter((link) => link !== "explorer"), ...objects]) {
      await visit.open(place);
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      const text = await page.locator("main").textContent();
      expect([place, text]).not.toEqual([
        place,
        expect.stringMatching(/\b(User id|Node cluster|NS cluster)\b|does not exist/),
      ]);
      await visit.expectNoSidewaysScroll();
      await visit.expectAccessible();
    }
  });
});
