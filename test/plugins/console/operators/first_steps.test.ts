import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../../core/client/mod.ts";
import { NSDomainService } from "../../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSRecordService } from "../../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { browserRuns } from "../../../core/client/runtimes/page_visit.ts";
import { KEY } from "../../../harness/server.ts";
import { ConsoleServer, type Visit } from "../visitor.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "console",
  "node_base",
  "node_grant",
  "node_log",
  "ns_cluster",
  "ns_domain",
  "ns_node",
  "ns_record",
  "ns_route",
  "user",
  "user_access_key",
];

describe.runIf(browserRuns())("the first steps of an operator", () => {
  let served: ConsoleServer;
  let visit: Visit;
  beforeAll(async () => {
    served = await ConsoleServer.start(PLUGINS);
  });
  afterAll(() => served.stop());
  afterEach(() => visit.end());

  test("lead from an empty installation to a domain with a record, and then go away", async () => {
    visit = await served.visit();
    const { page } = visit;
    const steps = page.getByRole("region", { name: "First steps" });
    const step = (name: string) => steps.getByRole("link", { name, exact: true });
    const save = async () => {
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL((url) => !url.hash.includes("/new"));
    };
    await visit.signIn();
    await step("Add cluster").waitFor();
    expect(await step("Add node").count()).toBe(0);
    await visit.expectAccessible();
    await step("Add cluster").click();
    await page.getByLabel("Name", { exact: true }).fill("Europe");
    await save();

    await visit.open("");
    await step("Add node").click();
    await page.getByLabel("Name", { exact: true }).fill("fra-1");
    await expect.poll(() => page.getByLabel("DNS cluster", { exact: true }).locator("option:checked").textContent())
      .toBe("Europe");
    await save();

    await visit.open("");
    await step("Add domain").click();
    await page.getByLabel("Name", { exact: true }).fill("first.example");
    await expect.poll(() => page.getByLabel("DNS cluster", { exact: true }).locator("option:checked").textContent())
      .toBe("Europe");
    await save();

    await visit.open("");
    await step("Open records").click();
    await page.getByRole("heading", { level: 1, name: "first.example" }).waitFor();
    const client = createClient({ baseUrl: served.server.url, accessKey: { ...KEY, type: "admin" } });
    const { nsDomains } = await client.service(NSDomainService).listNSDomains({ size: 1n });
    await client.service(NSRecordService).createNSRecord({
      nsDomainId: nsDomains[0]!.id,
      name: "www",
      type: "A",
      value: "192.0.2.1",
    });
    await visit.open("");
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    await expect.poll(() => steps.count()).toBe(0);
  });
});
