import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "node_base",
  "node_cluster",
  "ns_cluster",
  "ns_node",
  "origin",
  "reverse_proxy",
  "server",
  "server_daily_stat",
  "user",
  "user_access_key",
];

describe.runIf(browserRuns())("sites in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  let nodeClusterId: number;
  let customer: { userId: number; key: { id: string; secret: string } };
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    ({ nodeClusterId } = await call("NodeClusterService/createNodeCluster", { name: "Frankfurt" }));
    const { userId } = await call("UserService/createUser", {
      ...{ username: "walter", fullname: "Walter Beck", password: "walks in the rain", nodeClusterId },
    });
    const { uniqueId, secret } = await call("UserAccessKeyService/createUserAccessKey", { userId });
    customer = { userId, key: { id: uniqueId, secret } };
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
  });
  afterEach(() => visit.end());

  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async function call(path: string, request: object): Promise<any> {
    const { code, data, message } = await served.server.post(`/${path}`, request);
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  async function site(name: string, more: object = {}): Promise<number> {
    const request = { type: "httpProxy", name, nodeClusterId, ...more };
    return (await call("ServerService/createServer", request)).serverId;
  }

  async function namesOf(serverId: number): Promise<string[]> {
    const { serverNamesJSON } = await call("ServerService/findServerNames", { serverId });
    const names = typeof serverNamesJSON === "string" ? JSON.parse(atob(serverNamesJSON)) : serverNamesJSON;
    return names.map(({ name }: { name: string }) => name);
  }

  async function sitesNamed(keyword: string): Promise<{ serverIds: number[] }> {
    const { servers = [] } = await call("ServerService/listEnabledServersMatch", { keyword, size: 10 });
    return { serverIds: servers.map(({ id }: { id: number }) => id) };
  }

  /** Checks the page in both themes and on a narrow screen. */
  async function expectFit(theme = "Theme"): Promise<void> {
    await visit.settled();
    await visit.expectAccessible();
    await page.getByRole("button", { name: theme }).click();
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
    await page.setViewportSize({ width: 1280, height: 860 });
  }

  test("an operator adds domain names, reads why one is refused, and removes one", async () => {
    await site("blog", { serverNamesJSON: [{ name: "blog.example.com", type: "full" }] });
    const serverId = await site("shop");
    await visit.signIn();
    await visit.open(`resource/Server/${serverId}`);
    await page.getByText("The site has no domain names yet").waitFor();
    const names = page.getByLabel("New domain names");
    const add = page.getByRole("button", { name: "Add names" });
    await names.fill("blog.example.com");
    await add.click();
    await page.locator(".add-names").getByRole("alert").getByText("blog.example.com").waitFor();
    await names.fill("www.example.com shop.example.com");
    await add.click();
    await page.getByText("shop.example.com", { exact: true }).last().waitFor();
    await expectFit();
    expect(await namesOf(serverId)).toEqual(["www.example.com", "shop.example.com"]);
    await page.getByRole("button", { name: "Remove www.example.com" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove www.example.com" }).waitFor({ state: "detached" });
    expect(await namesOf(serverId)).toEqual(["shop.example.com"]);
  });

  test("a customer adds the first origin and a backup, edits, turns off and removes", async () => {
    const serverId = await site("media", { userId: customer.userId });
    await visit.signIn(customer.key, "Customer");
    await visit.open(`resource/Server/${serverId}`);
    await page.getByRole("tab", { name: "Origins" }).click();
    await page.getByText("The site has no origin yet").waitFor();
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add origin" }).click();
    await dialog.getByLabel("Host name or IP address").fill("198.51.100.7");
    await dialog.getByLabel("Port").fill("99999");
    await dialog.getByRole("button", { name: "Add origin" }).click();
    await dialog.getByRole("alert").getByText("99999").waitFor();
    await dialog.getByLabel("Port").fill("80");
    await dialog.getByLabel("Protocol").selectOption("https");
    expect(await dialog.getByLabel("Port").inputValue()).toBe("443");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Add origin" }).click();
    await page.getByRole("cell", { name: "https://198.51.100.7:443", exact: true }).waitFor();
    await page.getByRole("button", { name: "Add backup origin" }).click();
    await dialog.getByLabel("Host name or IP address").fill("backup.example.net");
    await dialog.getByRole("button", { name: "Add backup origin" }).click();
    await page.getByRole("cell", { name: "http://backup.example.net:80", exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit https://198.51.100.7:443" }).click();
    await dialog.getByLabel("Weight").fill("25");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "25", exact: true }).waitFor();
    await page.getByRole("button", { name: "Turn off https://198.51.100.7:443" }).click();
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.locator(".origins .tag.idle", { hasText: "off" }).waitFor();
    await expectFit();
    await page.getByRole("button", { name: "Remove http://backup.example.net:80" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("There are no backup origins").waitFor();
  });

  test("an operator adds a site for a customer with one short form, and nothing is left of a refused one", async () => {
    await site("taken", { serverNamesJSON: [{ name: "taken.example.com", type: "full" }] });
    await visit.signIn();
    await visit.open("resource/Server/new");
    await page.getByRole("heading", { level: 1, name: "Add site" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("journal");
    const names = page.getByLabel("Domain names");
    await names.fill("taken.example.com");
    const cluster = page.getByLabel("Edge cluster");
    await cluster.and(page.getByRole("combobox")).waitFor();
    await page.getByLabel("Owner").and(page.getByRole("combobox")).selectOption({ value: String(customer.userId) });
    await page.getByLabel("Host name or IP address").fill("198.51.100.9");
    const add = page.getByRole("main").getByRole("button", { name: "Add site" });
    await add.click();
    await page.getByRole("alert").getByText("choose the cluster").waitFor();
    await cluster.selectOption("Frankfurt");
    await add.click();
    await page.locator(".field", { has: names }).getByRole("alert").getByText("taken.example.com").waitFor();
    await names.fill("journal.example.com www.journal.example.com");
    await page.getByLabel("Port").fill("99999");
    await add.click();
    await page.getByRole("alert").getByText("99999").waitFor();
    const { serverIds } = await sitesNamed("journal");
    expect(serverIds).toEqual([]);
    await expectFit();
    await page.getByLabel("Port").fill("8080");
    await add.click();
    await page.getByRole("heading", { level: 1, name: "journal" }).waitFor();
    await expect.poll(() => page.locator(".crumbs").innerText()).toBe("Sites / journal");
    await page.getByRole("tab", { name: "Origins" }).click();
    await page.getByRole("cell", { name: "http://198.51.100.9:8080", exact: true }).waitFor();
    const { serverIds: [serverId] } = await sitesNamed("journal");
    expect(await namesOf(serverId!)).toEqual(["journal.example.com", "www.journal.example.com"]);
    const { serverJSON } = await call("ServerService/findEnabledServerConfig", { serverId });
    const config = typeof serverJSON === "string" ? JSON.parse(atob(serverJSON)) : serverJSON;
    expect([config.userId, config.http.listen[0].portRange, config.reverseProxy.primaryOrigins[0].addr.host])
      .toEqual([customer.userId, "80", "198.51.100.9"]);
  });

  test("a customer adds a TCP site in Chinese, which says so when it could not be taken back", async () => {
    await visit.signIn(customer.key, "Customer");
    await page.getByLabel("Language").selectOption("zh");
    await visit.open("resource/Server/new");
    await page.getByLabel("类型").selectOption("TCP");
    await page.getByLabel("名称").fill("database");
    await page.getByLabel("边缘节点端口").fill("33060");
    await page.getByLabel("主机名或 IP 地址").fill("198.51.100.10");
    await page.getByLabel("端口", { exact: true }).fill("99999");
    await page.route(
      "**/ServerService/deleteServer",
      (route) => route.fulfill({ json: { code: 500, data: null, message: "the site is being changed" } }),
    );
    await expectFit("主题");
    await page.getByRole("main").getByRole("button", { name: "添加网站" }).click();
    await page.getByText("网站已添加，但没有源站").waitFor();
    expect((await sitesNamed("database")).serverIds).toHaveLength(1);
    await page.getByRole("link", { name: "在网站页面添加源站" }).click();
    await page.getByRole("heading", { level: 1, name: "database" }).waitFor();
  });

  test("the traffic of a site is shown by hour and by day", async () => {
    const serverId = await site("video");
    await visit.signIn();
    await visit.open(`resource/Server/${serverId}`);
    await page.getByRole("tab", { name: "Traffic" }).click();
    await page.getByText("There was no traffic in this time").waitFor();
    const createdAt = Math.floor(Date.now() / 1000);
    const stat = { serverId, bytes: 3.25 * 2 ** 30, cachedBytes: 2.5 * 2 ** 30, countRequests: 48_200, createdAt };
    await call("ServerDailyStatService/uploadServerDailyStats", { stats: [stat] });
    await page.getByRole("button", { name: "30 days" }).click();
    await page.getByText("48,200", { exact: true }).waitFor();
    await page.locator(".figures").getByText("3.25 GB").waitFor();
    await page.locator(".plot canvas").waitFor();
    await expectFit();
    await page.getByRole("button", { name: "48 hours" }).click();
    await page.locator(".figures").getByText("2.5 GB").waitFor();
  });

  test("a DNS cluster shows its nodes with their states", async () => {
    const { nsClusterId } = await call("NSClusterService/createNSCluster", {
      ...{ name: "Europe", hosts: ["ns1.edge.example"], email: "dns@edge.example" },
    });
    await visit.signIn();
    await visit.open(`resource/NSCluster/${nsClusterId}`);
    await page.getByText("The cluster has no nodes yet").waitFor();
    await call("NSNodeService/createNSNode", { nodeClusterId: nsClusterId, name: "fra-1" });
    await visit.open("");
    await visit.open(`resource/NSCluster/${nsClusterId}`);
    const row = page.getByRole("row", { name: /fra-1/ });
    await row.getByText("not installed").waitFor();
    await row.getByText("never").waitFor();
    await expectFit();
    await row.getByRole("link", { name: "fra-1" }).click();
    await page.getByRole("heading", { level: 1, name: "fra-1" }).waitFor();
  });
});
