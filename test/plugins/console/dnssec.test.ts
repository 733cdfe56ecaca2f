import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { ConsoleServer, type Visit, type VisitOptions } from "./visitor.ts";

/** A port without a server. */
const NO_RESOLVER = { use: "ns_domain", config: { resolvers: ["127.0.0.1:1"], resolveTimeoutMilliseconds: "500" } };
const PLUGINS = [
  ...["admin", "api_access_token", "api_node", "console", "log", "login", "node_base", "ns_cluster", "ns_dnssec"],
  ...[NO_RESOLVER, "ns_node", "ns_record", "ns_route", "user", "user_access_key"],
];

describe.runIf(browserRuns())("DNSSEC in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    await post("NSClusterService/createNSCluster", { name: "Europe", hosts: ["ns1.example.net"] });
  });
  afterAll(() => served.stop());
  afterEach(() => visit.end());

  async function post(path: string, request: object) {
    const { code, message, data } = await served.server.post(`/${path}`, request);
    if (code !== 200) throw new Error(message);
    return data;
  }

  async function openDomain(name: string, options?: VisitOptions): Promise<number> {
    const { nsDomainId } = await post("NSDomainService/createNSDomain", { name, nsClusterId: 1 });
    visit = await served.visit(options);
    ({ page } = visit);
    await visit.signIn();
    await visit.open(`resource/NSDomain/${nsDomainId}`);
    await page.getByRole("tab", { name: "DNSSEC" }).click();
    return nsDomainId;
  }
  const stateOf = async (nsDomainId: number) => await post("NSDNSSECService/findNSDomainDNSSEC", { nsDomainId });

  /** Opens a dialog by its button, and acts. */
  async function act(name: string): Promise<void> {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  }

  test("a domain is signed, its key replaced, and the DS record is there to copy", async () => {
    const nsDomainId = await openDomain("shop.example");
    await page.getByText("Not signed").waitFor();
    await act("Sign the domain");
    await page.getByText("Signed", { exact: true }).waitFor();
    const { dsRecords: [ds], keys } = await stateOf(nsDomainId);
    await page.getByText(ds, { exact: true }).waitFor();
    await page.getByText(/but not before/).waitFor();
    await page.getByText(ds.split(" ").at(-1), { exact: true }).waitFor();
    expect(await page.getByRole("cell", { name: String(keys[1].keyTag) }).count()).toBe(1);
    await visit.expectAccessible();
    await act("Replace the key");
    await page.getByText("New key waits").waitFor();
    const { dsRecords } = await stateOf(nsDomainId);
    expect(dsRecords).toHaveLength(2);
    await page.getByText(dsRecords[1], { exact: true }).waitFor();
    await act("Confirm");
    await page.getByRole("dialog").getByRole("alert").getByText(/no resolver can look up the DS records/).waitFor();
    expect((await stateOf(nsDomainId)).status).toBe("rolling");
  });

  test("the end of signing says what to do first, and can be forced", async () => {
    const nsDomainId = await openDomain("end.example", { width: 390, theme: "dark" });
    await act("Sign the domain");
    await page.getByText("Signed", { exact: true }).waitFor();
    await visit.expectNoSidewaysScroll();
    await visit.expectAccessible();
    await act("Stop signing");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").waitFor();
    expect((await stateOf(nsDomainId)).status).toBe("signed");
    await dialog.getByLabel("Stop at once, without asking the parent").check();
    await dialog.getByRole("button", { name: "Stop signing" }).click();
    await page.getByText("Not signed").waitFor();
    expect((await stateOf(nsDomainId)).status).toBe("off");
  });

  test("all of it is there in Chinese", async () => {
    await openDomain("zh.example", { language: "en" });
    await page.locator("header select").selectOption("zh");
    await page.getByText("未签名").waitFor();
    await act("为域名签名");
    await page.getByText("已签名").waitFor();
    await page.getByText(/请在注册商处发布此 DS 记录/).waitFor();
  });
});
