import { expect, test } from "vitest";
import { PrivateKeys } from "../../../plugins/ns_dnssec/keys.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { ada, DAY, HOUR, Rig, rpc } from "./rig.ts";

const start = (rig: Rig, nsDomainId: bigint) => rig.edgehelm.call(ada, rpc.startNSDomainKSKRollover, { nsDomainId });
const confirm = (rig: Rig, nsDomainId: bigint) =>
  rig.edgehelm.call(ada, rpc.confirmNSDomainKSKRollover, { nsDomainId });
const zsks = async (rig: Rig, nsDomainId: bigint) =>
  (await rig.find(nsDomainId)).keys.filter(({ role }) => role === "ZSK");

test("the next ZSK is published before it signs, and the last one after it signed", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  await rig.pass(90n * DAY - 1n);
  expect(await zsks(rig, nsDomainId)).toHaveLength(1);
  const [before] = await rig.keySets(1n);
  await rig.pass(1n);
  // the DNSKEY records of the time before are in caches for an hour, and nodes need an hour
  const at = rig.now + 2n * HOUR;
  const until = at + 7n * DAY + HOUR;
  expect(await zsks(rig, nsDomainId)).toMatchObject([
    { retireAt: at, removeAt: until },
    { publishAt: rig.now, activeAt: at, retireAt: 0n, removeAt: 0n },
  ]);
  const [set] = await rig.keySets(1n, before!.version);
  expect(set!.keys.map(({ role, activeAt, retireAt }) => [role, activeAt > rig.now, retireAt > rig.now])).toEqual([
    ["KSK", false, false],
    ["ZSK", false, true],
    ["ZSK", true, false],
  ]);
  await rig.runJobs();
  expect(await zsks(rig, nsDomainId)).toHaveLength(2);
  await rig.pass(until - rig.now - 1n);
  expect(await zsks(rig, nsDomainId)).toHaveLength(2);
  await rig.pass(1n);
  expect(await zsks(rig, nsDomainId)).toMatchObject([{ activeAt: at, removeAt: 0n }]);
  expect((await rig.keySets(1n, set!.version))[0]!.keys).toHaveLength(2);
  expect((await rig.find(nsDomainId)).nextZSKAt).toBe(at + 90n * DAY);
  await rig.pass(90n * DAY);
  expect(await zsks(rig, nsDomainId)).toHaveLength(2);
});

test("the times of rollovers are those of the configuration", async () => {
  const config = { zskLifetimeSeconds: "1000", propagationSeconds: "10", maxTTLSeconds: "100", dsTTLSeconds: "50" };
  const rig = await Rig.open(config);
  const nsDomainId = await rig.signed("shop.test");
  expect((await rig.find(nsDomainId)).publishDSAt).toBe(rig.now + 10n);
  await rig.pass(1000n);
  const at = rig.now + HOUR + 10n;
  expect((await zsks(rig, nsDomainId))[0]).toMatchObject({ retireAt: at, removeAt: at + 110n });
  await rig.edgehelm.call(ada, rpc.disableNSDomainDNSSEC, { nsDomainId });
  expect((await rig.find(nsDomainId)).disableAt).toBe(rig.now + 60n);
});

test("a new KSK signs beside the last one, and replaces it when the parent has its DS record", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const [old] = (await rig.find(nsDomainId)).dsRecords;
  rig.publish("shop.test", old!);
  await rig.pass(DAY);
  await start(rig, nsDomainId);
  const rolling = await rig.find(nsDomainId);
  expect(rolling).toMatchObject({
    status: "rolling",
    publishDSAt: rig.now + 2n * HOUR,
    dsRecords: [old, expect.any(String)],
  });
  const [, next] = rolling.dsRecords;
  expect(rolling.keys.filter(({ role }) => role === "KSK")).toMatchObject([
    { ds: old, retireAt: 0n },
    { ds: next, publishAt: rig.now, activeAt: rig.now, retireAt: 0n },
  ]);
  await expect(start(rig, nsDomainId)).rejects.toMatchObject({ code: 409, reason: "ns_dnssec.rolling" });
  await expect(confirm(rig, nsDomainId)).rejects.toMatchObject({
    code: 409,
    reason: "ns_dnssec.ds_absent",
    message: expect.stringContaining(next!),
  });
  await rig.pass(2n * HOUR - 1n);
  expect(await rig.events()).toEqual(["keys_made"]);
  await rig.pass(1n);
  expect((await emittedBy(rig.edgehelm, "ns_dnssec")).at(-1)).toEqual({
    name: "ns_dnssec.ds_awaited",
    userId: 7n,
    data: { nsDomainId: String(nsDomainId), name: "shop.test", ds: next },
  });
  await rig.pass(DAY);
  expect(await rig.events()).toEqual(["keys_made", "ds_awaited"]);
  // a DS record with the right key tag and another digest is not that of the key
  rig.publish("shop.test", next!.replace(/.$/, (digit) => digit === "0" ? "1" : "0"));
  await expect(confirm(rig, nsDomainId)).rejects.toMatchObject({ reason: "ns_dnssec.ds_absent" });
  rig.publish("shop.test", next!.replace(/DS \d+/, "DS 1"));
  await expect(confirm(rig, nsDomainId)).rejects.toMatchObject({ reason: "ns_dnssec.ds_absent" });
  rig.publish("shop.test", old!, next!.toLowerCase().replace("in ds", "IN DS"));
  await confirm(rig, nsDomainId);
  const until = rig.now + 2n * DAY + HOUR;
  const confirmed = await rig.find(nsDomainId);
  expect(confirmed).toMatchObject({ status: "signed", dsRecords: [next] });
  expect(confirmed.keys.filter(({ role }) => role === "KSK")).toMatchObject([
    { ds: old, retireAt: until, removeAt: until },
    { ds: next, retireAt: 0n },
  ]);
  await expect(confirm(rig, nsDomainId)).rejects.toMatchObject({ reason: "ns_dnssec.not_rolling" });
  const [before] = await rig.keySets(1n);
  expect(before!.keys).toHaveLength(3);
  await rig.pass(until - rig.now - 1n);
  expect(await rig.keySets(1n, before!.version)).toEqual([]);
  await rig.pass(1n);
  expect((await rig.keySets(1n, before!.version))[0]!.keys).toHaveLength(2);
  expect((await rig.find(nsDomainId)).keys.map(({ ds }) => ds)).toEqual([next, ""]);
});

test("a rollover that waits does not stop the ZSK, and ends with the keys", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  await start(rig, nsDomainId);
  await rig.pass(91n * DAY);
  expect((await rig.find(nsDomainId)).keys).toHaveLength(4);
  await rig.pass(91n * DAY);
  expect(await rig.events()).toEqual(["keys_made", "ds_awaited"]);
  await rig.edgehelm.call(ada, rpc.disableNSDomainDNSSEC, { nsDomainId });
  await rig.pass(3n * DAY);
  expect((await rig.find(nsDomainId)).status).toBe("off");
});

test("the DS record is awaited in time, also if a ZSK is due before", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  await rig.pass(90n * DAY - HOUR);
  await start(rig, nsDomainId);
  await rig.pass(HOUR);
  expect(await zsks(rig, nsDomainId)).toHaveLength(2);
  expect(await rig.events()).toEqual(["keys_made"]);
  await rig.pass(HOUR);
  expect(await rig.events()).toEqual(["keys_made", "ds_awaited"]);
});

test("no two keys have one key tag", async () => {
  const makers = new PrivateKeys({ seal: (text) => Promise.resolve(text), open: (text) => Promise.resolve(text) });
  const taken = Array.from({ length: 65_536 }, (_, tag) => BigInt(tag)).filter((tag) => tag % 16n !== 0n);
  for (let at = 0; at < 5; at++) expect((await makers.make("ZSK", taken)).keyTag % 16n).toBe(0n);
});

test("keys that are about to be erased are not replaced", async () => {
  const rig = await Rig.open({ zskLifetimeSeconds: "86400" });
  const nsDomainId = await rig.signed("shop.test");
  await rig.edgehelm.call(ada, rpc.disableNSDomainDNSSEC, { nsDomainId });
  await rig.pass(DAY + HOUR);
  expect((await rig.find(nsDomainId)).keys).toHaveLength(2);
});
