import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import {
  admin,
  changesOf,
  createCluster,
  createDomain,
  createRecord,
  edgehelm,
  linesOf,
  node,
  nsClusterId,
  rpc,
  useKernel,
  zoneRpc,
} from "./rig.ts";

useKernel();

describe("a whole zone", () => {
  test("has a SOA record, the hosts of the cluster, and its records with complete names", async () => {
    const nsDomainId = await createDomain("whole.test");
    await createRecord(nsDomainId, "www", "A", "192.0.2.1");
    await createRecord(nsDomainId, "@", "MX", "mail", { mxPriority: 10, ttl: 60 });
    await createRecord(nsDomainId, "txt", "TXT", 'say "hi"; ö');
    const zone = await changesOf(nsDomainId);
    expect(zone).toMatchObject({ nsDomainId, isServed: true, isComplete: true, name: "whole.test" });
    expect(linesOf(zone.authority)).toEqual([
      `@ 3600 SOA ns1.edge.test. dns\\.admin.edge.test. ${zone.serial} 7200 3600 1209600 3600`,
      "@ 3600 NS ns1.edge.test.",
      "@ 3600 NS ns2.edge.test.",
    ]);
    expect(linesOf(zone.records)).toEqual([
      "www 600 A 192.0.2.1",
      "@ 60 MX 10 mail.whole.test.",
      'txt 600 TXT "say \\"hi\\"; \\195\\182"',
    ]);
  });

  test("of a domain without records, on a cluster without hosts, is a SOA record", async () => {
    const { nsClusterId: bare, node: other } = await createCluster([]);
    const nsDomainId = await createDomain("bare.test", bare);
    const { authority, records, serial, isComplete } = await changesOf(nsDomainId, 0n, 0n, other);
    expect([linesOf(authority), records, isComplete]).toEqual([
      [`@ 3600 SOA bare.test. hostmaster.bare.test. ${serial} 7200 3600 1209600 3600`],
      [],
      true,
    ]);
    expect(serial).toBeGreaterThan(0);
  });

  test("takes SOA and NS records of its own, but never their serial", async () => {
    const nsDomainId = await createDomain("own.test");
    await createRecord(nsDomainId, "@", "SOA", "a.own.test. me.own.test. 7 1 2 3 4", { ttl: 5 });
    await createRecord(nsDomainId, "@", "NS", "a.own.test.");
    const { authority, records, serial } = await changesOf(nsDomainId);
    expect(linesOf(authority)).toEqual([`@ 5 SOA a.own.test. me.own.test. ${serial} 1 2 3 4`]);
    expect(serial).toBeGreaterThan(1_700_000_000);
    expect(linesOf(records)).toEqual([`${records[0]!.id} deleted`, "@ 600 NS a.own.test."]);
  });

  test("comes in pages that end with exactly what the server has, although it changes in between", async () => {
    const nsDomainId = await createDomain("pages.test");
    const ids = [];
    for (const at of [1, 2, 3, 4, 5]) ids.push(await createRecord(nsDomainId, `r${at}`, "A", `192.0.2.${at}`));
    const first = await changesOf(nsDomainId, 0n, 3n);
    expect([linesOf(first.records), first.isComplete]).toEqual([
      ["r1 600 A 192.0.2.1", "r2 600 A 192.0.2.2", "r3 600 A 192.0.2.3"],
      false,
    ]);
    await edgehelm.call(admin, rpc.deleteNSRecord, { nsRecordId: ids[0]! });
    const change = { nsRecordId: ids[1]!, name: "r2", type: "A", value: "192.0.2.22", isOn: true };
    await edgehelm.call(admin, rpc.updateNSRecord, change);
    const second = await changesOf(nsDomainId, first.version, 3n);
    expect([linesOf(second.records), second.isComplete]).toEqual([
      ["r4 600 A 192.0.2.4", "r5 600 A 192.0.2.5", `${ids[0]} deleted`],
      false,
    ]);
    const third = await changesOf(nsDomainId, second.version, 3n);
    expect([linesOf(third.records), third.isComplete]).toEqual([["r2 600 A 192.0.2.22"], true]);
    expect(third.serial).toBeGreaterThan(first.serial);
  });

  test("comes in pages of at most a megabyte", async () => {
    const nsDomainId = await createDomain("texts.test");
    const names = Array.from({ length: 150 }, (_, at) => `t${at}`);
    await edgehelm.call(admin, rpc.createNSRecords, { nsDomainId, names, type: "TXT", value: "ö".repeat(2000) });
    const { records, isComplete } = await changesOf(nsDomainId);
    expect([records.length, isComplete]).toEqual([66, false]);
  });
});

describe("the serial of a zone", () => {
  test("increases with each change of a record, once for all of a call", async () => {
    const nsDomainId = await createDomain("serial.test");
    const names = Array.from({ length: 500 }, (_, at) => `n${at}`);
    await edgehelm.call(admin, rpc.createNSRecords, { nsDomainId, names, type: "A", value: "192.0.2.1" });
    const serials = [(await changesOf(nsDomainId)).serial];
    const nsRecordId = await createRecord(nsDomainId, "www", "A", "192.0.2.1");
    serials.push((await changesOf(nsDomainId)).serial);
    await edgehelm.call(admin, rpc.updateNSRecordIsUp, { nsRecordId, isUp: false });
    serials.push((await changesOf(nsDomainId)).serial);
    await edgehelm.call(admin, rpc.deleteNSRecord, { nsRecordId });
    serials.push((await changesOf(nsDomainId)).serial);
    expect(serials.map((serial) => serial >= serials[0]!)).toEqual([true, true, true, true]);
    expect(new Set(serials).size).toBe(4);
    expect(serials).toEqual(serials.toSorted((a, b) => a - b));
    // follows the clock: 500 rows of one call are one step
    expect(serials[0]! - Date.now() / 1000).toBeLessThan(10);
  });

  test("increases with the settings of the cluster", async () => {
    const { nsClusterId: cluster, node: other } = await createCluster(["old.edge.test"]);
    const nsDomainId = await createDomain("moved-hosts.test", cluster);
    const before = await changesOf(nsDomainId, 0n, 0n, other);
    const settings = { nsClusterId: cluster, name: "main", hosts: ["new.edge.test"], isOn: true };
    await edgehelm.call(admin, rpc.updateNSCluster, settings);
    const after = await changesOf(nsDomainId, 0n, 0n, other);
    expect(after.serial).toBeGreaterThan(before.serial);
    expect(linesOf(after.authority)).toContain("@ 3600 NS new.edge.test.");
  });
});

test("records that are off are deleted, and down ones, weights and routes are marked", async () => {
  const nsDomainId = await createDomain("marks.test");
  const off = await createRecord(nsDomainId, "off", "A", "192.0.2.1");
  await edgehelm.call(admin, rpc.updateNSRecord, { nsRecordId: off, name: "off", type: "A", value: "192.0.2.1" });
  const down = await createRecord(nsDomainId, "down", "A", "192.0.2.2", { weight: 7 });
  await edgehelm.call(admin, rpc.updateNSRecordIsUp, { nsRecordId: down, isUp: false });
  const nsRecordHealthCheckJSON = new TextEncoder().encode('{"isOn": true, "port": 443}');
  await edgehelm.call(admin, rpc.updateNSRecordHealthCheck, { nsRecordId: down, nsRecordHealthCheckJSON });
  const { records } = await changesOf(nsDomainId);
  expect(records).toMatchObject([
    { id: off, isDeleted: true },
    { id: down, isDeleted: false, isUp: false, weight: 7, routeCodes: [] },
  ]);
  expect(JSON.parse(new TextDecoder().decode(records[1]!.healthCheckJSON))).toMatchObject({ isOn: true, port: 443 });
});

describe("nodes", () => {
  test("get the zones of their cluster only, and only while these are served", async () => {
    const nsDomainId = await createDomain("mine.test");
    await createRecord(nsDomainId, "www", "A", "192.0.2.1");
    const { nsClusterId: elsewhere, node: stranger } = await createCluster(["ns9.edge.test"]);
    const nothing = { nsDomainId, isServed: false, name: "", records: [], authority: [], serial: 0, version: 0n };
    expect(await changesOf(nsDomainId, 0n, 0n, stranger)).toMatchObject(nothing);
    const { zones } = await edgehelm.call(stranger, zoneRpc.listNSZonesAfterVersion, {});
    expect(zones).toEqual([]);
    const off = { nsDomainId, nsClusterId, isOn: false };
    await edgehelm.call(admin, rpc.updateNSDomain, off);
    expect(await changesOf(nsDomainId)).toMatchObject(nothing);
    await edgehelm.call(admin, rpc.updateNSDomain, { ...off, isOn: true, nsClusterId: elsewhere });
    expect(await changesOf(nsDomainId)).toMatchObject(nothing);
    expect(linesOf((await changesOf(nsDomainId, 0n, 0n, stranger)).records)).toEqual(["www 600 A 192.0.2.1"]);
  });

  test("learn which zones changed, each once with its last change", async () => {
    const { nsClusterId: cluster, node: other } = await createCluster(["ns1.edge.test"]);
    const [one, two] = [await createDomain("one.test", cluster), await createDomain("two.test", cluster)];
    for (const at of [1, 2]) await createRecord(one, `r${at}`, "A", "192.0.2.1");
    await createRecord(two, "www", "A", "192.0.2.1");
    await createRecord(one, "r3", "A", "192.0.2.1");
    const list = async (version: bigint, size = 0n) =>
      (await edgehelm.call(other, zoneRpc.listNSZonesAfterVersion, { version, size })).zones;
    const zones = await list(0n);
    expect(zones.map(({ nsDomainId }) => nsDomainId)).toEqual([two, one]);
    expect(await list(0n, 1n)).toEqual([zones[0]]);
    expect(await list(zones[0]!.version)).toEqual([zones[1]]);
    expect(await list(zones[1]!.version)).toEqual([]);
  });

  test("share the size of a response among zones, and ask again for those at its end", async () => {
    const ids = [
      await createDomain("a.share.test"),
      await createDomain("b.share.test"),
      await createDomain("c.share.test"),
    ];
    for (const id of ids) for (const at of [1, 2]) await createRecord(id, `r${at}`, "A", "192.0.2.1");
    const positions = ids.map((nsDomainId) => ({ nsDomainId, version: 0n }));
    const { zones } = await edgehelm.call(node, zoneRpc.listNSZoneChanges, { positions, size: 3n });
    expect(zones.map(({ records, isComplete }) => [records.length, isComplete])).toEqual([[2, true], [1, false]]);
  });

  test("are refused what is not valid", async () => {
    const list = (request: object, caller = node) => edgehelm.call(caller, zoneRpc.listNSZoneChanges, request);
    const one = { nsDomainId: 1n, version: 0n };
    await expect(list({})).rejects.toThrow("positions: must not be empty");
    await expect(list({ positions: [one, one] })).rejects.toThrow("listed twice");
    await expect(list({ positions: [{ ...one, version: -1n }] })).rejects.toThrow("must not be negative");
    await expect(list({ positions: [one], size: 1001n })).rejects.toThrow("1000");
    const many = Array.from({ length: 101 }, (_, at) => ({ nsDomainId: BigInt(at + 1), version: 0n }));
    await expect(list({ positions: many })).rejects.toThrow("positions: must have at most 100 items");
    await expect(list({ positions: [one] }, admin)).rejects.toThrow("permission");
    await expect(list({ positions: [one] }, as.user(7n))).rejects.toThrow("permission");
  });
});
