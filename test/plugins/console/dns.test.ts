import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../core/client/mod.ts";
import { browserRuns } from "../../core/client/runtimes/page_visit.ts";
import { KEY } from "../../harness/server.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { ConsoleServer, type Visit, type VisitOptions } from "./visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "ns_cluster",
  "ns_domain",
  "ns_record",
  "ns_route",
  "ns_zone_file",
  "user",
  "user_access_key",
];

describe.runIf(browserRuns())("domains in a browser", () => {
  let served: ConsoleServer;
  let visit: Visit;
  let page: Page;
  let nsClusterId: bigint;
  const services = () => {
    const client = createClient({ baseUrl: served.server.url, accessKey: { ...KEY, type: "admin" } });
    return {
      clusters: client.service(NSClusterService),
      domains: client.service(NSDomainService),
      records: client.service(NSRecordService),
      users: client.service(UserService),
    };
  };
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
    const hosts = ["ns1.example.net", "ns2.example.net"];
    ({ nsClusterId } = await services().clusters.createNSCluster({ name: "Europe", hosts }));
  });
  afterAll(() => served.stop());
  afterEach(() => visit.end());

  /** Makes a domain with records, and opens its page. */
  async function openDomain(
    name: string,
    values: readonly string[],
    options?: VisitOptions & { readonly userId?: bigint; readonly status?: string },
  ): Promise<bigint> {
    const { domains, records } = services();
    const { userId = 0n, status, ...window } = options ?? {};
    const { nsDomainId } = await domains.createNSDomain({ name, nsClusterId, userId });
    for (const value of values) await records.createNSRecord({ nsDomainId, name: "www", type: "A", value });
    if (status !== undefined) await domains.updateNSDomainStatus({ nsDomainId, status });
    visit = await served.visit(window);
    ({ page } = visit);
    await visit.signIn();
    await visit.open(`resource/NSDomain/${nsDomainId}`);
    return nsDomainId;
  }

  test("a zone file shows what it changes before it is imported", async () => {
    const nsDomainId = await openDomain("import.example", ["192.0.2.1", "192.0.2.2"]);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Zone file", { exact: true }).fill("$TTL 1h\nwww A 192.0.2.1\nmail\n");
    await dialog.getByRole("alert").getByText("Line 3").waitFor();
    await dialog.getByLabel("Zone file", { exact: true }).fill(
      "$TTL 1h\nwww A 192.0.2.1\nmail A 192.0.2.9\n@ MX 10 mail\n",
    );
    await dialog.getByText("2 added, 1 unchanged").waitFor();
    await dialog.getByLabel("Delete the records that are not in the file").check();
    await dialog.getByText("2 added, 1 changed, 1 removed, 0 unchanged").waitFor();
    await visit.expectAccessible();
    await dialog.getByRole("button", { name: "Import zone file" }).click();
    await page.getByText("2 added, 1 changed, 1 removed, 0 unchanged.").waitFor();
    await page.getByText("3 records").waitFor();
    const { nsRecords } = await services().records.listNSRecords({ nsDomainId });
    expect(nsRecords.map(({ type, ttl, value }) => `${type} ${ttl} ${value}`).sort()).toEqual([
      "A 3600 192.0.2.1",
      "A 3600 192.0.2.9",
      "MX 3600 mail.import.example.",
    ]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    expect((await download).suggestedFilename()).toBe("import.example.zone");
  });

  test("what another person changed is shown before it is overwritten, and what fails stays", async () => {
    const nsDomainId = await openDomain("pair.example", ["192.0.2.1", "192.0.2.2", "192.0.2.3"], { theme: "dark" });
    const { records } = services();
    const { nsRecords } = await records.listNSRecords({ nsDomainId });
    const theirs = nsRecords.find(({ value }) => value === "192.0.2.1")!;
    const cell = (value: string) => page.locator(`input[data-column="value"]`).nth(at(value));
    await page.locator(`input[data-column="value"]`).nth(2).waitFor();
    const shown = await page.locator(`input[data-column="value"]`).evaluateAll((cells) =>
      cells.map((input) => (input as unknown as { readonly value: string }).value)
    );
    const at = (value: string) => shown.indexOf(value);
    await cell("192.0.2.1").fill("192.0.2.11");
    await cell("192.0.2.2").fill("no address");
    await cell("192.0.2.3").fill("192.0.2.13");
    await records.updateNSRecord({ ...request(theirs), nsRecordId: theirs.id, value: "192.0.2.99" });
    await page.getByRole("button", { name: "Apply changes" }).click();
    await page.getByRole("alert").getByText("This record was changed elsewhere").waitFor();
    await page.getByRole("alert").getByText("192.0.2.99").waitFor();
    await page.getByRole("alert").getByText("value: must be an IPv4 address").waitFor();
    await page.getByText("2 changes").waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await cell("192.0.2.2").press("Escape");
    await page.getByText("1 change", { exact: true }).waitFor();
    await cell("192.0.2.1").press("Control+Enter");
    await page.getByText("1 change", { exact: true }).waitFor({ state: "detached" });
    const now = await records.listNSRecords({ nsDomainId });
    expect(now.nsRecords.map(({ value }) => value).sort()).toEqual(["192.0.2.11", "192.0.2.13", "192.0.2.2"]);
  });

  test("records are added together, the refused one stays, and another window's change comes before mine", async () => {
    const nsDomainId = await openDomain("both.example", ["192.0.2.1"]);
    const calls: string[] = [];
    page.on("request", (request) => calls.push(new URL(request.url()).pathname.split("/").at(-1)!));
    const cells = page.locator(`input[data-column="value"]`);
    for (const value of ["192.0.2.30", "no address", "192.0.2.31"]) {
      await page.getByRole("button", { name: "Add record" }).click();
      await cells.first().fill(value);
      await page.locator(`input[data-column="name"]`).first().fill(`n${value.length}${value.at(-1)}`);
    }
    await page.getByRole("button", { name: "Apply changes" }).click();
    await page.getByRole("alert").getByText("value: must be an IPv4 address").waitFor();
    await page.getByText("1 change", { exact: true }).waitFor();
    expect(calls.filter((name) => /^createNSRecord/.test(name)))
      .toEqual(["createNSRecordsWithDomainNames", "createNSRecordsWithDomainNames"]);
    await cells.nth(1).press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    const other = await served.visit();
    await other.signIn();
    await other.open(`resource/NSDomain/${nsDomainId}`);
    for (const [window, value] of [[other.page, "192.0.2.77"], [page, "192.0.2.78"]] as const) {
      const cell = window.locator("tr", { has: window.getByRole("button", { name: "Details of www A" }) })
        .locator(`input[data-column="value"]`);
      await cell.fill(value);
      await window.getByRole("button", { name: "Apply changes" }).click();
      if (window === page) break;
      await window.getByRole("button", { name: "Apply changes" }).waitFor({ state: "detached" });
    }
    await page.getByRole("alert").getByText("192.0.2.77").waitFor();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Take theirs" }).click();
    await page.getByRole("button", { name: "Apply changes" }).waitFor({ state: "detached" });
    await other.end();
    const { nsRecords } = await services().records.listNSRecords({ nsDomainId });
    expect(nsRecords.map(({ value }) => value).sort()).toEqual(["192.0.2.30", "192.0.2.31", "192.0.2.77"]);
  });

  test("weight, routes and whether a record is answered are set; the keyboard moves through cells", async () => {
    const nsDomainId = await openDomain("detail.example", ["192.0.2.1", "192.0.2.2"]);
    const cells = page.locator(`input[data-column="value"]`);
    await cells.first().focus();
    await page.keyboard.press("ArrowDown");
    expect(await cells.nth(1).evaluate((cell) => cell === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Details of www A" }).first().click();
    await page.getByLabel("Weight").fill("3");
    await page.getByLabel("The record is answered").uncheck();
    await visit.expectAccessible();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Apply changes" }).click();
    await page.getByRole("button", { name: "Apply changes" }).waitFor({ state: "detached" });
    const { nsRecords } = await services().records.listNSRecords({ nsDomainId });
    expect(nsRecords.map(({ weight, isOn }) => `${weight} ${isOn}`).sort()).toEqual(["0 true", "3 false"]);
  });

  test("the verification says what to put where, and what was found", async () => {
    const { userId } = await services().users.createUser({ username: "ada", password: "correct-horse-1" });
    const nsDomainId = await openDomain("wait.example", [], { userId, status: "none", width: 390 });
    await visit.expectNoSidewaysScroll();
    await page.getByRole("tab", { name: "Verification" }).click();
    await page.getByText("ns1.example.net").first().waitFor();
    await page.getByText("_edgehelm-verify.wait.example").first().waitFor();
    await visit.expectAccessible();
    await visit.expectNoSidewaysScroll();
    await services().domains.updateNSDomainStatus({ nsDomainId, status: "forbidden" });
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("is forbidden").waitFor();
  });
});

/** The fields of a record that an update replaces. */
function request({ name, type, ttl, isOn }: { name: string; type: string; ttl: number; isOn: boolean }) {
  return { name, type, ttl, isOn };
}
