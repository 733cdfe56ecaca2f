import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import clusters from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import domains from "../../../plugins/ns_domain/plugin.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import routes from "../../../plugins/ns_route/plugin.ts";
import plugin from "../../../plugins/ns_zone_file/plugin.ts";
import { NSZoneFileService } from "../../../plugins/ns_zone_file/proto/service_ns_zone_file_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";
import { ada, admin, bob, createDomain as domainOf, createRecord as created } from "../ns_record/rig.ts";

const { exportNSZoneFile, importNSZoneFile } = NSZoneFileService.method;
let edgehelm: TestKernel;

beforeAll(async () => {
  const users = stub(Users, { requireUser: async () => {}, summaries: async () => new Map() });
  edgehelm = await testKernel({ plugins: [clusters, domains, records, routes, plugin], stubs: [users] });
  const hosts = ["ns1.edge.test", "ns2.edge.test"];
  const cluster = { name: "dns", hosts, email: "dns.team@edge.test" };
  await edgehelm.call(as.admin(), NSClusterService.method.createNSCluster, cluster);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function exportZone(nsDomainId: bigint): Promise<string> {
  return (await edgehelm.call(ada, exportNSZoneFile, { nsDomainId })).zoneFile;
}

async function importZone(nsDomainId: bigint, zoneFile: string, replace = false) {
  const { countCreated, countUpdated, countSkipped, countRemoved, problems } = await edgehelm.call(
    ada,
    importNSZoneFile,
    {
      nsDomainId,
      zoneFile,
      replace,
    },
  );
  const counts = [countCreated, countUpdated, countSkipped, countRemoved].map(Number);
  return { counts, problems: problems.map(({ line, message }) => `${line}: ${message}`) };
}

async function listRecords(nsDomainId: bigint): Promise<string[]> {
  const { nsRecords } = await edgehelm.call(ada, NSRecordService.method.listNSRecords, { nsDomainId, size: 1000n });
  return nsRecords.map(({ name, ttl, type, value, isOn }) => `${name} ${ttl} ${type} ${value}${isOn ? "" : " off"}`)
    .sort();
}

test("a zone file is imported, exported and imported into another domain", async () => {
  const shop = await domainOf(edgehelm, ada, "shop.test");
  const file = `$TTL 1h
@     MX 10 mail
      TXT "v=spf1 mx -all"
www   300 IN A 192.0.2.1
mail  AAAA 2001:db8::1
`;
  expect(await importZone(shop, file)).toEqual({ counts: [4, 0, 0, 0], problems: [] });
  const text = await exportZone(shop);
  expect(text.replaceAll("\t", " ").split("\n")).toEqual([
    "$ORIGIN shop.test.",
    "$TTL 600",
    expect.stringMatching(/^@ 3600 IN SOA ns1\.edge\.test\. dns\\\.team\.edge\.test\. \d+ 7200 3600 1209600 3600$/),
    "@ 3600 IN NS ns1.edge.test.",
    "@ 3600 IN NS ns2.edge.test.",
    "@ 3600 IN MX 10 mail.shop.test.",
    '@ 3600 IN TXT "v=spf1 mx -all"',
    "mail 3600 IN AAAA 2001:db8::1",
    "www 300 IN A 192.0.2.1",
    "",
  ]);
  expect(await importZone(shop, text, true)).toEqual({ counts: [0, 0, 7, 0], problems: [] });
  const next = await domainOf(edgehelm, ada, "shop2.test");
  expect((await importZone(next, text.replaceAll("shop.test", "shop2.test"))).counts).toEqual([4, 0, 3, 0]);
  expect(await listRecords(next)).toEqual(
    (await listRecords(shop)).map((value) => value.replace("shop.test", "shop2.test")),
  );
});

describe("importing", () => {
  test("skips existing records and replaces only records that a zone file can contain", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "replace.test");
    const create = (name: string, value: string, more = {}) =>
      created(edgehelm, ada, { nsDomainId, name, type: "A", value, ...more });
    await create("www", "192.0.2.1", { ttl: 60 });
    await create("old", "192.0.2.2");
    await create("www", "192.0.2.3", { nsRouteCodes: ["world:US"] });
    const { id } = await create("off", "192.0.2.4");
    const off = { nsRecordId: id, name: "off", type: "A", value: "192.0.2.4", isOn: false };
    await edgehelm.call(ada, NSRecordService.method.updateNSRecord, off);
    const text = await exportZone(nsDomainId);
    expect(text).toContain("; routes world:US: www\t600\tIN\tA\t192.0.2.3\n");
    expect(text).toContain("; off: off\t600\tIN\tA\t192.0.2.4\n");
    expect((await importZone(nsDomainId, text, true)).counts).toEqual([0, 0, 5, 0]);

    const file = "www 90 A 192.0.2.1\nwww 90 A 192.0.2.1\nnew A 192.0.2.9\n";
    expect((await importZone(nsDomainId, file)).counts).toEqual([1, 0, 2, 0]);
    expect((await importZone(nsDomainId, file, true)).counts).toEqual([0, 1, 2, 1]);
    expect(await listRecords(nsDomainId)).toEqual([
      "new 90 A 192.0.2.9",
      "off 600 A 192.0.2.4 off",
      "www 600 A 192.0.2.3",
      "www 90 A 192.0.2.1",
    ]);
    expect((await importZone(nsDomainId, "off 600 A 192.0.2.4\n", true)).counts).toEqual([0, 1, 0, 2]);
    expect(await listRecords(nsDomainId)).toEqual(["off 600 A 192.0.2.4", "www 600 A 192.0.2.3"]);
  });

  test("creates SOA and NS records that differ from those of the cluster", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "own.test");
    const file =
      "@ 60 SOA ns.other.test. first.last@other.test. 1 2h 1h 14d 5m\n@ NS ns1.edge.test.\n@ NS ns.other.test.\n";
    expect((await importZone(nsDomainId, file.replace("first.last@", "first\\.last."))).counts).toEqual([3, 0, 0, 0]);
    expect(await listRecords(nsDomainId)).toContain(
      "@ 60 SOA ns.other.test first\\.last.other.test 1 7200 3600 1209600 300",
    );
    const text = await exportZone(nsDomainId);
    expect(text).not.toContain("ns2.edge.test");
    expect((await importZone(nsDomainId, text, true)).counts).toEqual([0, 0, 3, 0]);
  });

  test("changes nothing if a line has an error, and reports all errors", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "invalid.test");
    await created(edgehelm, ada, { nsDomainId, name: "www", type: "A", value: "192.0.2.1" });
    const wrong = "ok A 192.0.2.7\nbad A 192.0.2.777\nx.other.test. A 192.0.2.1\nsvc HTTPS 1 . foo=1\n";
    expect(await importZone(nsDomainId, wrong, true)).toEqual({
      counts: [0, 0, 0, 0],
      problems: [
        expect.stringContaining("2: value: "),
        expect.stringContaining('3: name: "x.other.test." is not under invalid.test'),
        expect.stringContaining('4: value: the parameter "'),
      ],
    });
    const clash = "ok A 192.0.2.7\nalias CNAME ok\nalias A 192.0.2.8\nwww CNAME ok\n";
    expect((await importZone(nsDomainId, clash)).problems).toEqual([
      expect.stringMatching(/^3: .*conflicts with a CNAME/),
      expect.stringMatching(/^4: .*conflicts with other records/),
    ]);
    expect(await listRecords(nsDomainId)).toEqual(["www 600 A 192.0.2.1"]);
    expect((await importZone(nsDomainId, "ok A 192.0.2.7\nwww CNAME ok\n", true)).counts).toEqual([2, 0, 0, 1]);
  });

  test("returns at most 100 errors and counts all", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "many.test");
    const request = { nsDomainId, zoneFile: "a FOO\n".repeat(500) };
    const { problems, countProblems } = await edgehelm.call(ada, importNSZoneFile, request);
    expect([problems.length, countProblems]).toEqual([100, 500n]);
  });

  test("refuses files that exceed the limits", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "bounds.test");
    const importFile = (zoneFile: string) => edgehelm.call(ada, importNSZoneFile, { nsDomainId, zoneFile });
    await expect(importFile("")).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining("at least one record"),
    });
    await expect(importFile("\n".repeat(50_000))).rejects.toMatchObject({
      message: expect.stringContaining("50000 lines"),
    });
    await expect(importFile("x".repeat(2 ** 20 + 1))).rejects.toMatchObject({ code: 400 });
    const many = Array.from({ length: 5001 }, (_, index) => `n${index} A 192.0.2.1`).join("\n");
    await expect(importFile(many)).rejects.toMatchObject({ code: 413, reason: "ns_zone_file.too_many_records" });
    expect((await importZone(nsDomainId, many.slice(0, many.lastIndexOf("\n")))).counts).toEqual([5000, 0, 0, 0]);
    expect((await importZone(nsDomainId, await exportZone(nsDomainId), true)).counts).toEqual([0, 0, 5003, 0]);
  });
});

test("the domain of another user is not found", async () => {
  const nsDomainId = await domainOf(edgehelm, ada, "ada.test");
  for (const id of [nsDomainId, 999_999n]) {
    const notFound = { reason: "ns_domain.not_found" };
    await expect(edgehelm.call(bob, exportNSZoneFile, { nsDomainId: id })).rejects.toMatchObject(notFound);
    await expect(edgehelm.call(bob, importNSZoneFile, { nsDomainId: id, zoneFile: "a A 192.0.2.1" })).rejects
      .toMatchObject(notFound);
  }
  expect((await edgehelm.call(admin, exportNSZoneFile, { nsDomainId })).zoneFile).toContain("$ORIGIN ada.test.");
});
