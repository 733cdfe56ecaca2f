import { describe, expect, test } from "vitest";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { ada, createDomain as domainOf, createRecord as created } from "../ns_record/rig.ts";
import { edgehelm, exportZone, importZone, listRecords, useKernel } from "./zone_rig.ts";

useKernel();

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

  test("finding 10: a name of one label in a value is below the domain, in the file and back", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "relative.test");
    const create = (name: string, type: string, value: string) =>
      created(edgehelm, ada, { nsDomainId, name, type, value });
    await create("a", "CNAME", "www");
    await create("b", "CNAME", "www.");
    await create("c", "CNAME", "www.other.test");
    await create("d", "MX", "mail");
    await create("e", "HTTPS", "0 web");
    const text = await exportZone(nsDomainId);
    const written = [
      "a\t600\tIN\tCNAME\twww.relative.test.",
      "b\t600\tIN\tCNAME\twww.",
      "c\t600\tIN\tCNAME\twww.other.test.",
    ];
    for (
      const line of [...written, "d\t600\tIN\tMX\t0 mail.relative.test.", "e\t600\tIN\tHTTPS\t0 web.relative.test."]
    ) {
      expect(text.split("\n")).toContain(line);
    }
    const before = await listRecords(nsDomainId);
    expect((await importZone(nsDomainId, text, true)).counts.slice(0, 2)).toEqual([0, 0]);
    expect(await listRecords(nsDomainId)).toEqual(before);
    expect(before).toContain("a 600 CNAME www");
  });

  test("creates SOA and NS records that differ from those of the cluster", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "own.test");
    const file =
      "@ 60 SOA ns.other.test. first.last@other.test. 1 2h 1h 14d 5m\n@ NS ns1.edge.test.\n@ NS ns.other.test.\n";
    expect((await importZone(nsDomainId, file.replace("first.last@", "first\\.last."))).counts).toEqual([3, 0, 0, 0]);
    expect(await listRecords(nsDomainId)).toContain(
      "@ 60 SOA ns.other.test. first\\.last.other.test. 1 7200 3600 1209600 300",
    );
    const text = await exportZone(nsDomainId);
    expect(text).not.toContain("ns2.edge.test");
    expect((await importZone(nsDomainId, text, true)).counts).toEqual([0, 0, 3, 0]);
  });
});
