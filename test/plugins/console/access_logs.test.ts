import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "./visitor.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "console", "http_access_log", "node", "node_base", "node_cluster", "server", "user"],
  "user_access_key",
];
const SECOND = 1000;
const start = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * 3600 * SECOND;
const day = new Date(start).toISOString().slice(0, 10);

describe.runIf(browserRuns())("access logs in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    await store(Array.from({ length: 150 }, (_, index) => ({ index })));
    await store([{ index: 150, requestMethod: "POST", requestURI: "/cart", status: 502, remoteAddr: "198.51.100.9" }]);
  });
  afterAll(() => served.stop());
  beforeEach(async () => {
    visit = await served.visit();
    ({ page } = visit);
    await visit.signIn();
  });
  afterEach(() => visit.end());

  /** Stores requests to a shop, one every ten seconds. */
  async function store(logs: readonly { readonly index: number; readonly [field: string]: unknown }[]): Promise<void> {
    const httpAccessLogs = logs.map(({ index, ...fields }) => {
      const milliseconds = start + index * 10 * SECOND;
      return {
        ...{ requestId: `${milliseconds}0001`, timestamp: milliseconds / SECOND, serverId: 0, nodeId: 1 },
        ...{ host: "shop.example", scheme: "https", remoteAddr: "192.0.2.4", requestMethod: "GET", proto: "HTTP/2.0" },
        ...{ requestURI: `/bikes/${index}`, requestPath: `/bikes/${index}`, status: 200, bytesSent: 18_400 },
        ...{ requestTime: 0.042, header: { Accept: { values: ["text/html"] } } },
        ...fields,
      };
    });
    const { code, message } = await served.server.post("/HTTPAccessLogService/createHTTPAccessLogs", {
      httpAccessLogs,
    });
    expect([code, message]).toEqual([200, "ok"]);
  }
  const request = (name: string | RegExp) => page.getByRole("button", { name });

  test("pages lead to older requests and back, and the time line narrows them", async () => {
    await visit.open(`access-logs?day=${day}`);
    await page.getByText("100 requests", { exact: true }).waitFor();
    await request("POST shop.example/cart").waitFor();
    await page.locator(".time-line canvas").waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("51 requests", { exact: true }).waitFor();
    await request("GET shop.example/bikes/0").waitFor();
    expect(await page.getByRole("button", { name: "Older" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Newer" }).click();
    await request("POST shop.example/cart").waitFor();
    await page.getByRole("button", { name: "Newest" }).click();
    await page.getByText("100 requests", { exact: true }).waitFor();
    await visit.settled();
    await page.locator(".time-line").scrollIntoViewIfNeeded();
    const plot = (await page.locator(".time-line .u-over").boundingBox())!;
    await page.mouse.move(plot.x + plot.width * 0.7, plot.y + 20);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.9, plot.y + 20, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("button", { name: /Show all$/ }).waitFor();
    const [shown] = (await page.getByText(/^\d+ requests$/).textContent())!.split(" ");
    expect(Number(shown)).toBeGreaterThan(5);
    expect(Number(shown)).toBeLessThan(40);
    await page.getByRole("button", { name: /Show all$/ }).click();
    await page.getByText("100 requests", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Theme" }).click();
    await visit.expectAccessible();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
  });

  test("a search finds requests, is part of the address, and names what is wrong with it", async () => {
    await visit.open(`access-logs?day=${day}`);
    await page.getByLabel("Search in").selectOption("Status");
    await page.getByLabel("Search for").fill("500-599");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("1 request", { exact: true }).waitFor();
    expect(page.url()).toContain("text=500-599");
    await request("POST shop.example/cart").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Accept: text/html").waitFor();
    const detail = (name: string) => dialog.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
    await detail("Size of the response").getByText("18 KB").waitFor();
    await detail("Duration").getByText("42 ms").waitFor();
    await detail("Node").getByText("1", { exact: true }).waitFor();
    expect(await detail("Time").textContent()).toMatch(/^Time[A-Z][a-z]{2} \d{1,2}, \d{4}, /);
    expect(await dialog.getByText("Timestamp").count()).toBe(0);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await dialog.getByRole("button", { name: "Copy the request as JSON" }).click();
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await expect.poll(copied).toContain('"remoteAddr": "198.51.100.9"');
    expect(JSON.parse(await copied())).toMatchObject({ requestMethod: "POST", status: 502 });
    await visit.expectAccessible();
    await dialog.getByRole("link", { name: "Requests of this address" }).click();
    await page.getByText("1 request", { exact: true }).waitFor();
    expect(await page.getByLabel("Client address").inputValue()).toBe("198.51.100.9");
    await page.getByLabel("Client address").fill("nowhere");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("alert").getByText('got "nowhere"').waitFor();
    await page.getByRole("link", { name: "Clear filter" }).click();
    await page.getByText("100 requests", { exact: true }).waitFor();
    await page.getByLabel("Search for").pressSequentially(" no such text ");
    expect(await page.getByLabel("Search for").inputValue()).toBe(" no such text ");
    await page.getByLabel("Domain").fill("other.example");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("No request matches.").waitFor();
    expect(page.url()).toMatch(/text=no\+such\+text(&|$)/);
    await page.getByLabel("Language").selectOption("中文");
    await page.getByText("没有匹配的请求。").waitFor();
    await visit.expectAccessible();
  });

  test("new requests appear by themselves while the reader follows", async () => {
    await visit.open(`access-logs?day=${day}&text=follow`);
    await page.getByText("No request matches.").waitFor();
    await page.getByRole("button", { name: "Follow" }).click();
    await store([{ index: 200, requestURI: "/follow/1" }]);
    await request("GET shop.example/follow/1").waitFor();
    await store([{ index: 201, requestURI: "/follow/2" }]);
    await request("GET shop.example/follow/2").waitFor();
    await page.getByText("2 requests", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Following new requests" }).click();
    await page.getByText("2 requests", { exact: true }).waitFor();
  });
});
