import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "node_base",
  "ns_cluster",
  "ns_domain",
  "ns_node",
  "ns_record",
  "ns_record_hourly_stat",
  "user",
  "user_access_key",
];

describe.runIf(browserRuns())("queries in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  let nsClusterId: number;
  let token: string;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    ({ nsClusterId } = await call("NSClusterService/createNSCluster", { name: "dns", hosts: ["ns.edge.example"] }));
    const { nsNodeId } = await call("NSNodeService/createNSNode", { name: "ns1", nodeClusterId: nsClusterId });
    const { uniqueId, secret } = (await call("NSNodeService/findNSNode", { nsNodeId })).nsNode;
    const key = { type: "dns", accessKeyId: uniqueId, accessKey: secret };
    ({ token } = await call("APIAccessTokenService/getAPIAccessToken", key));
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

  async function upload(stats: object[], domainStats: object[]): Promise<void> {
    const request = { stats, domainStats };
    const { code, message } = await served.server.postWith(
      token,
      "/NSRecordHourlyStatService/uploadNSRecordHourlyStats",
      request,
    );
    expect([code, message]).toEqual([200, "ok"]);
  }

  const record = async (nsDomainId: number, name: string): Promise<number> =>
    (await call("NSRecordService/createNSRecord", { nsDomainId, name, type: "A", value: "192.0.2.1" })).nsRecordId;
  const rowsOf = (title: string) =>
    page.locator("section.sums").filter({ has: page.getByRole("heading", { name: title }) }).locator("tbody tr")
      .allInnerTexts();

  test("are shown by hour, type, response code and record", async () => {
    const { nsDomainId } = await call("NSDomainService/createNSDomain", { name: "asked.example", nsClusterId });
    const [www, gone] = [await record(nsDomainId, "www"), await record(nsDomainId, "gone")];
    await visit.signIn();
    await visit.open(`resource/NSDomain/${nsDomainId}`);
    await page.getByRole("tab", { name: "Queries" }).click();
    await page.getByText("There were no queries in this time").waitFor();
    const now = Math.floor(Date.now() / 1000);
    const stat = { nsDomainId, questionType: "A", responseCode: "NOERROR", bytes: 50_000, createdAt: now };
    await upload(
      [{ nsRecordId: www, countRequests: 1_200 }, { nsRecordId: gone, countRequests: 34 }],
      [
        { ...stat, countRequests: 1_234 },
        { ...stat, countRequests: 400, questionType: "TYPE9", responseCode: "NXDOMAIN" },
        { ...stat, countRequests: 7, createdAt: now - 2 * 86_400 },
      ],
    );
    await call("NSRecordService/deleteNSRecord", { nsRecordId: gone });
    await page.getByRole("button", { name: "7 days" }).click();
    await page.locator(".figures").getByText("1,641", { exact: true }).waitFor();
    await page.getByRole("button", { name: "24 hours" }).click();
    await page.locator(".figures").getByText("1,634", { exact: true }).waitFor();
    await page.locator(".plot canvas").waitFor();
    expect(await rowsOf("By type")).toEqual(["A\t1,234\t75.5 %", "Other\t400\t24.5 %"]);
    expect(await rowsOf("By response code")).toEqual(["NOERROR\t1,234\t75.5 %", "NXDOMAIN\t400\t24.5 %"]);
    expect(await rowsOf("By record")).toEqual(["www A\t1,200\t73.4 %", "gone A, deleted\t34\t2.1 %"]);
    await visit.expectAccessible();
    await page.getByRole("button", { name: "www A" }).click();
    await page.getByText("Queries of www A").waitFor();
    await page.getByText("As a table").click();
    await page.locator("figure.chart").getByRole("cell", { name: "1,200" }).waitFor();
    await page.getByRole("button", { name: "All queries of the domain" }).click();
    await page.getByText("Queries by hour").waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await visit.expectNoSidewaysScroll();
    await page.locator("section.sums td").getByText("75.5 %").first().waitFor({ state: "visible" });
  });
});
