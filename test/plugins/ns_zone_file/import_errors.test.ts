import { describe, expect, test } from "vitest";
import { NSZoneFileService } from "../../../plugins/ns_zone_file/proto/service_ns_zone_file_pb.ts";
import { ada, createDomain as domainOf, createRecord as created } from "../ns_record/rig.ts";
import { edgehelm, exportZone, importZone, listRecords, useKernel } from "./zone_rig.ts";

const { importNSZoneFile } = NSZoneFileService.method;

useKernel();

describe("importing", () => {
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
