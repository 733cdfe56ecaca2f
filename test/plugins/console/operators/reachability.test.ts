import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit, type VisitOptions } from "../visitor.ts";

const PLUGINS = [
  ...[
    "admin",
    "api_access_token",
    "console",
    "node",
    "node_base",
    "node_cluster",
    "node_ip_address",
    "user_access_key",
  ],
  ...["report_node", "report_node_group", "report_result"],
];
const LOOKS: readonly VisitOptions[] = [
  { theme: "light" },
  { theme: "dark" },
  { theme: "light", width: 390 },
  { theme: "dark", width: 390 },
];

describe.runIf(browserRuns())("reachability in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let addressId: number;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    const { nodeClusterId } = await post("NodeClusterService/createNodeCluster", { name: "Europe" });
    const { nodeId } = await post("NodeService/createNode", { name: "edge-1", nodeClusterId });
    addressId = await address(nodeId, "192.0.2.10");
    await address(nodeId, "192.0.2.11");
  });
  afterAll(() => served?.stop());

  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async function post(path: string, request: object, token?: string): Promise<any> {
    const sent = token === undefined
      ? served.server.post(`/${path}`, request)
      : served.server.postWith(token, `/${path}`, request);
    const { code, data, message } = await sent;
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  async function address(nodeId: number, ip: string): Promise<number> {
    const request = { nodeId, ip, role: "node", canAccess: true, isUp: true };
    return (await post("NodeIPAddressService/createNodeIPAddress", request)).nodeIPAddressId;
  }

  async function report(node: object, status: object, result: object): Promise<void> {
    const { reportNodeId } = await post("ReportNodeService/createReportNode", node);
    const { reportNode } = await post("ReportNodeService/findEnabledReportNode", { reportNodeId });
    const { token } = await post("APIAccessTokenService/getAPIAccessToken", {
      ...{ type: "report", accessKeyId: reportNode.uniqueId, accessKey: reportNode.secret },
    });
    const statusJSON = btoa(JSON.stringify(status));
    await post("ReportNodeService/updateReportNodeStatus", { statusJSON }, token);
    const sent = { type: "ipAddr", targetId: addressId, targetDesc: "192.0.2.10", ...result };
    await post("ReportResultService/updateReportResults", { reportResults: [sent] }, token);
  }

  test("an address without results says so", async () => {
    visit = await served.visit();
    await visit.signIn();
    await visit.page.getByRole("navigation").getByRole("link", { name: "Reachability" }).click();
    await visit.page.getByRole("link", { name: "192.0.2.10" }).click();
    await visit.page.getByText("No report node measured this address in the last ten minutes.").waitFor();
    await visit.page.getByText("No report node has measured this address.").waitFor();
    await visit.expectAccessible();
    await visit.end();
  });

  test("an address is seen from each region and report node, in both themes and on a phone", async () => {
    await report({ name: "tokyo 1", location: "Tokyo", isp: "NTT" }, {}, { isOk: true, costMs: 41.6 });
    await report({ name: "tokyo 2", location: "Tokyo", isp: "NTT" }, {}, { isOk: true, costMs: 58.4 });
    await report({ name: "berlin 1" }, { location: "Berlin", isp: "DTAG" }, {
      isOk: false,
      error: "connection refused",
    });
    for (const look of LOOKS) {
      visit = await served.visit(look);
      const { page } = visit;
      await visit.signIn();
      await visit.open("reachability");
      await page.getByRole("row").filter({ hasText: "192.0.2.10" }).getByText("67 %").waitFor();
      await visit.expectAccessible();
      await page.getByRole("link", { name: "192.0.2.10" }).click();
      const regions = page.locator(".regions tbody tr");
      await expect.poll(() => regions.count()).toBe(2);
      expect(await regions.nth(0).innerText()).toMatch(/^Berlin\s+DTAG\s+broken\s+0 of 1/);
      expect(await regions.nth(1).innerText()).toMatch(/^Tokyo\s+NTT\s+good\s+2 of 2\s+50 ms/);
      const results = page.locator(".results tbody");
      const berlin = await results.getByRole("row").filter({ hasText: "berlin 1" }).innerText();
      expect(berlin).toMatch(/^berlin 1\s+Berlin\s+DTAG\s+broken\s[^]*connection refused$/);
      expect(await results.getByRole("row").filter({ hasText: "tokyo 1" }).innerText()).toMatch(/good\s+42 ms/);
      await visit.expectAccessible();
      await visit.expectNoSidewaysScroll();
      await visit.end();
    }
    visit = await served.visit();
    await visit.signIn();
    await visit.open(`resource/NodeIPAddress/${addressId}`);
    await visit.page.getByRole("tab", { name: "Reachability" }).click();
    await visit.page.locator(".regions").getByText("Berlin").waitFor();
    await visit.page.getByRole("link", { name: "berlin 1" }).click();
    await visit.page.getByRole("heading", { level: 1, name: "berlin 1" }).waitFor();
    await visit.end();
  });
});
