import { expect, test } from "vitest";
import { NSZoneFileService } from "../../../plugins/ns_zone_file/proto/service_ns_zone_file_pb.ts";
import { ada, admin, bob, createDomain as domainOf } from "../ns_record/rig.ts";
import { edgehelm, exportZone, importZone, listRecords, useKernel } from "./zone_rig.ts";

const { exportNSZoneFile, importNSZoneFile } = NSZoneFileService.method;

useKernel();

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
