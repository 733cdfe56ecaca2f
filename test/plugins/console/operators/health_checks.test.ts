import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit, type VisitOptions } from "../visitor.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "console", "node_base", "ns_cluster", "ns_domain", "ns_node", "ns_record", "user"],
  "user_access_key",
];
const CHECK = { isOn: true, port: 443, timeoutSeconds: 2, countDown: 2, countUp: 1 };

describe.runIf(browserRuns())("health checks in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  let nsClusterId: number;
  const tokens: string[] = [];
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    ({ nsClusterId } = await call("NSClusterService/createNSCluster", { name: "dns", hosts: ["ns.edge.example"] }));
    for (const name of ["ams1", "fra1", "sin1"]) tokens.push(await node(name));
  });
  afterAll(() => served.stop());
  afterEach(() => visit.end());

  // deno-lint-ignore no-explicit-any -- the shape of the data depends on the operation
  async function call(path: string, request: object, token?: string): Promise<any> {
    const { server } = served;
    const { code, data, message } = token === undefined
      ? await server.post(`/${path}`, request)
      : await server.postWith(token, `/${path}`, request);
    expect([code, message, path]).toEqual([200, "ok", path]);
    return data;
  }

  const json = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");

  /** Creates a node that is active. Returns its token. */
  async function node(name: string): Promise<string> {
    const { nsNodeId } = await call("NSNodeService/createNSNode", { name, nodeClusterId: nsClusterId });
    const { uniqueId, secret } = (await call("NSNodeService/findNSNode", { nsNodeId })).nsNode;
    const key = { type: "dns", accessKeyId: uniqueId, accessKey: secret };
    const { token } = await call("APIAccessTokenService/getAPIAccessToken", key);
    const status = { isActive: true, buildVersion: "1.0.0" };
    await call("NSNodeService/updateNSNodeStatus", { statusJSON: json(status) }, token);
    return token;
  }

  /** Creates a domain with two addresses, of which two nodes report the second as down. */
  async function domain(name: string) {
    const { nsDomainId } = await call("NSDomainService/createNSDomain", { name, nsClusterId });
    const nsDomainRecordsHealthCheckJSON = json(CHECK);
    await call("NSDomainService/updateNSDomainRecordsHealthCheck", { nsDomainId, nsDomainRecordsHealthCheckJSON });
    const ids: number[] = [];
    for (const value of ["192.0.2.1", "192.0.2.2"]) {
      const record = { nsDomainId, name: "www", type: "A", value };
      ids.push((await call("NSRecordService/createNSRecord", record)).nsRecordId);
    }
    const down = { nsRecordId: ids[1], isUp: false };
    for (const token of tokens.slice(0, 2)) await call("NSRecordService/updateNSRecordIsUp", down, token);
    return { nsDomainId: nsDomainId as number, ids };
  }

  async function open(nsDomainId: number, options?: VisitOptions): Promise<void> {
    visit = await served.visit(options);
    ({ page } = visit);
    await visit.signIn();
    await visit.open(`resource/NSDomain/${nsDomainId}`);
    await page.getByRole("tab", { name: "Health checks" }).click();
  }

  const isUp = async (nsRecordId: number) =>
    (await call("NSRecordService/findNSRecord", { nsRecordId })).nsRecord.isUp as boolean;
  const row = (value: string) => page.getByRole("row").filter({ hasText: value });

  test("say which records are down, since when and by which nodes, and have one served again", async () => {
    const { nsDomainId, ids } = await domain("checked.example");
    await open(nsDomainId);
    await row("192.0.2.2").getByText("down", { exact: true }).waitFor();
    await row("192.0.2.1").getByText("up", { exact: true }).waitFor();
    await page.getByText("3 active nodes check").waitFor();
    expect(await row("192.0.2.2").innerText()).toMatch(/TCP 443, 2 failures\s+2 of 3 nodes: (ams1 fra1|fra1 ams1)/);
    expect(await row("192.0.2.2").locator("time").innerText()).toMatch(/now|second/);
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Left out" }).click();
    await row("192.0.2.1").waitFor({ state: "detached" });
    await row("192.0.2.2").getByRole("button").click();
    await page.getByRole("dialog").getByRole("button", { name: "Serve again" }).click();
    await page.getByText("No record is left out.").waitFor();
    expect(await isUp(ids[1]!)).toBe(true);
  });

  test("fit into a narrow window, in the dark, and name what a person took out", async () => {
    const { nsDomainId, ids } = await domain("narrow.example");
    await call("NSRecordService/updateNSRecordIsUp", { nsRecordId: ids[0], isUp: false });
    await open(nsDomainId, { width: 390, theme: "dark" });
    await page.getByText("taken out").waitFor();
    await visit.expectNoSidewaysScroll();
    await visit.expectAccessible();
  });

  test("are set up for a domain, with the server's words about what is wrong", async () => {
    const { nsDomainId } = await call("NSDomainService/createNSDomain", { name: "new.example", nsClusterId });
    await call("NSRecordService/createNSRecord", { nsDomainId, name: "www", type: "A", value: "192.0.2.7" });
    await open(nsDomainId);
    await page.getByText("No record has a health check.").waitFor();
    await page.getByRole("button", { name: "Set up the check" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Check the addresses of all records").check();
    await dialog.getByLabel("TCP port").fill("70000");
    await dialog.getByLabel("TCP port").evaluate("(input) => input.form.noValidate = true");
    await dialog.getByRole("button", { name: "Save the check" }).click();
    await dialog.getByRole("alert").getByText(/port.*65535/).waitFor();
    await dialog.getByLabel("TCP port").fill("8443");
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Save the check" }).click();
    await row("192.0.2.7").getByText("TCP 8443, 3 failures").waitFor();
  });

  test("are there in Chinese", async () => {
    const { nsDomainId } = await domain("zh.example");
    await open(nsDomainId, { language: "en" });
    await page.locator("header select").selectOption("zh");
    await row("192.0.2.2").getByText("故障", { exact: true }).waitFor();
    await page.getByText("3 个活动节点在检查").waitFor();
  });
});
