import type { DescMethodUnary } from "@bufbuild/protobuf";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { as } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { reportMissing } from "../../harness/needs.ts";
import { ada, admin, bob, DAY, HOUR, Rig, rpc } from "./rig.ts";

const DSFROMKEY = "/usr/bin/dnssec-dsfromkey";

test("a domain is signed with two keys, whose DS record is shown and announced", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const found = await rig.find(nsDomainId);
  expect(found).toMatchObject({
    status: "signed",
    parentStatus: "",
    publishDSAt: rig.now + HOUR,
    nextZSKAt: rig.now + 90n * DAY,
  });
  expect(found.keys).toMatchObject([
    { role: "KSK", algorithm: 13, publishAt: rig.now, activeAt: rig.now, retireAt: 0n, removeAt: 0n },
    { role: "ZSK", algorithm: 13, publishAt: rig.now, activeAt: rig.now, ds: "" },
  ]);
  expect(found.keys.map(({ dnskey }) => dnskey)).toEqual([
    expect.stringMatching(/^shop\.test\. IN DNSKEY 257 3 13 [\w+/]{86}==$/),
    expect.stringMatching(/^shop\.test\. IN DNSKEY 256 3 13 [\w+/]{86}==$/),
  ]);
  expect(found.dsRecords).toEqual([found.keys[0]!.ds]);
  expect(found.keys[0]!.ds).toMatch(new RegExp(`^shop\\.test\\. IN DS ${found.keys[0]!.keyTag} 13 2 [0-9A-F]{64}$`));
  const data = { nsDomainId: String(nsDomainId), name: "shop.test", ds: found.dsRecords[0] };
  expect(await emittedBy(rig.edgehelm, "ns_dnssec")).toEqual([{ name: "ns_dnssec.keys_made", userId: 7n, data }]);
});

test("DS records and key tags equal those that dnssec-dsfromkey prints", async ({ skip }) => {
  if (!existsSync(DSFROMKEY)) reportMissing("bind9-dnsutils");
  skip(!existsSync(DSFROMKEY));
  const rig = await Rig.open();
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-ds-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ["shop.test", "a.b.c.test", "xn--bcher-kva.test"]) {
    const { keys, dsRecords } = await rig.find(await rig.signed(name));
    await writeFile(join(folder, "key"), `${keys[0]!.dnskey.replace(" IN ", " 3600 IN ")}\n`);
    const printed = execFileSync(DSFROMKEY, ["-f", join(folder, "key"), name]).toString().trim();
    expect(dsRecords).toEqual([printed]);
  }
});

test("nodes receive private keys of the domains of their cluster, which fit the public ones", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const [set, ...others] = await rig.keySets(1n);
  expect(others).toEqual([]);
  expect(set).toMatchObject({ nsDomainId, isDeleted: false });
  const { keys } = await rig.find(nsDomainId);
  for (const { role, keyTag, privateKey } of set!.keys) {
    const { x, y } = createPublicKey(createPrivateKey(privateKey)).export({ format: "jwk" });
    const point = Buffer.concat([Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")]).toString("base64");
    const known = keys.find((key) => key.keyTag === keyTag)!;
    expect(known.role).toBe(role);
    expect(known.dnskey).toContain(point);
  }
  expect(await rig.keySets(2n)).toEqual([]);
  expect(await rig.keySets(1n, set!.version)).toEqual([]);
  const ofDomains = async (cluster: bigint) =>
    (await rig.edgehelm.call(as.dns(cluster), rpc.listNSDNSSECKeysOfDomains, { nsDomainIds: [nsDomainId, 99n] }))
      .nsDNSSECKeySets;
  expect(await ofDomains(1n)).toEqual([set]);
  expect(await ofDomains(2n)).toEqual([]);
  for (const nsDomainIds of [[], Array.from({ length: 101 }, (_, at) => BigInt(at + 1))]) {
    await expect(rig.edgehelm.call(as.dns(1n), rpc.listNSDNSSECKeysOfDomains, { nsDomainIds }))
      .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^nsDomainIds: /) });
  }
  await expect(rig.keySets(1n, -1n)).rejects.toMatchObject({ message: expect.stringMatching(/^version: /) });
});

test("the database contains no private key in clear text", async () => {
  const rig = await Rig.open();
  await rig.signed("sealed.test");
  const scope = { owner: "ns_dnssec", tables: new Set(["nsDNSSECKeys"]) };
  const query = { sql: "select privateKey from nsDNSSECKeys", scope };
  const { rows } = await rig.edgehelm.engine.scan(query, [], Date.now() + 5000);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).toMatch(/v1\./);
  expect(JSON.stringify(rows)).not.toContain("PRIVATE KEY");
});

test("domains of others do not exist", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const operations: readonly DescMethodUnary[] = [
    rpc.enableNSDomainDNSSEC,
    rpc.disableNSDomainDNSSEC,
    rpc.findNSDomainDNSSEC,
    rpc.startNSDomainKSKRollover,
    rpc.confirmNSDomainKSKRollover,
  ];
  for (const operation of operations) {
    await expect(rig.edgehelm.call(bob, operation, { nsDomainId })).rejects.toMatchObject({
      reason: "ns_domain.not_found",
    });
    await expect(rig.edgehelm.call(ada, operation, { nsDomainId: 0n })).rejects.toMatchObject({ code: 400 });
  }
  expect((await rig.find(nsDomainId)).status).toBe("signed");
});

test("what a state does not allow is refused with the reason", async () => {
  const rig = await Rig.open();
  const plain = await rig.domain("plain.test");
  expect(await rig.find(plain)).toMatchObject({ status: "off", keys: [], dsRecords: [] });
  const changing: readonly DescMethodUnary[] = [
    rpc.disableNSDomainDNSSEC,
    rpc.startNSDomainKSKRollover,
    rpc.confirmNSDomainKSKRollover,
  ];
  for (const operation of changing) {
    await expect(rig.edgehelm.call(ada, operation, { nsDomainId: plain }))
      .rejects.toMatchObject({ code: 409, reason: "ns_dnssec.not_enabled" });
  }
  const nsDomainId = await rig.signed("shop.test");
  await expect(rig.edgehelm.call(ada, rpc.enableNSDomainDNSSEC, { nsDomainId }))
    .rejects.toMatchObject({ reason: "ns_dnssec.already_enabled" });
  await expect(rig.edgehelm.call(ada, rpc.confirmNSDomainKSKRollover, { nsDomainId }))
    .rejects.toMatchObject({ reason: "ns_dnssec.not_rolling" });
});

test("a domain stays signed until resolvers have forgotten its DS records, and can be kept", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const { dsRecords } = await rig.find(nsDomainId);
  rig.publish("shop.test", ...dsRecords);
  const disable = (isForced = false) => rig.edgehelm.call(ada, rpc.disableNSDomainDNSSEC, { nsDomainId, isForced });
  await expect(disable()).rejects.toMatchObject({ code: 409, reason: "ns_dnssec.ds_published" });
  rig.isParentDown = true;
  await expect(disable()).rejects.toThrow();
  rig.isParentDown = false;
  rig.publish("shop.test");
  await disable();
  expect(await rig.find(nsDomainId)).toMatchObject({ status: "disabling", disableAt: rig.now + 2n * DAY + HOUR });
  await expect(disable()).rejects.toMatchObject({ reason: "ns_dnssec.disabling" });
  await expect(rig.edgehelm.call(ada, rpc.startNSDomainKSKRollover, { nsDomainId }))
    .rejects.toMatchObject({ reason: "ns_dnssec.disabling" });
  await rig.edgehelm.call(ada, rpc.enableNSDomainDNSSEC, { nsDomainId });
  expect(await rig.find(nsDomainId)).toMatchObject({ status: "signed", disableAt: 0n, dsRecords });
  await disable();
  await rig.pass(2n * DAY + HOUR - 1n);
  expect((await rig.keySets(1n))[0]!.keys).toHaveLength(2);
  await rig.pass(1n);
  expect(await rig.find(nsDomainId)).toMatchObject({ status: "off", keys: [] });
  expect(await rig.keySets(1n)).toMatchObject([{ nsDomainId, isDeleted: true, keys: [] }]);
  await rig.edgehelm.call(ada, rpc.enableNSDomainDNSSEC, { nsDomainId });
  const sets = await rig.keySets(1n);
  expect(sets.map(({ isDeleted, keys }) => [isDeleted, keys.length])).toEqual([[true, 0], [false, 2]]);
  expect((await rig.find(nsDomainId)).dsRecords).not.toEqual(dsRecords);
  await disable(true);
  expect((await rig.find(nsDomainId)).status).toBe("off");
});

test("key sets follow their domain: off and on, to another cluster, and away", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const { updateNSDomain, deleteNSDomain } = NSDomainService.method;
  const update = async (nsClusterId: bigint, isOn: boolean) => {
    await rig.edgehelm.call(admin, updateNSDomain, { nsDomainId, nsClusterId, isOn });
  };
  const ofDomain = async (cluster: bigint) =>
    (await rig.edgehelm.call(as.dns(cluster), rpc.listNSDNSSECKeysOfDomains, { nsDomainIds: [nsDomainId] }))
      .nsDNSSECKeySets.length;
  const last = async (cluster: bigint) => (await rig.keySets(cluster)).at(-1);
  const before = (await last(1n))!.version;
  await update(1n, false);
  expect(await ofDomain(1n)).toBe(0);
  await rig.follow();
  expect(await last(1n)).toMatchObject({ isDeleted: true, keys: [] });
  expect((await last(1n))!.version).toBeGreaterThan(before);
  await update(1n, true);
  // before the job: a node asks for the keys of what it begins to serve
  expect(await ofDomain(1n)).toBe(1);
  await rig.follow();
  expect(await last(1n)).toMatchObject({ isDeleted: false, keys: [{ role: "KSK" }, { role: "ZSK" }] });
  await update(2n, true);
  expect([await ofDomain(1n), await ofDomain(2n)]).toEqual([0, 1]);
  // the keys have not followed yet
  expect((await last(1n))?.keys).toEqual([]);
  await rig.follow();
  expect(await last(1n)).toMatchObject({ nsDomainId, isDeleted: true, keys: [] });
  expect(await last(2n)).toMatchObject({ isDeleted: false, keys: [{ role: "KSK" }, { role: "ZSK" }] });
  await rig.edgehelm.call(admin, deleteNSDomain, { nsDomainId });
  expect(await ofDomain(2n)).toBe(0);
  await rig.follow();
  expect(await last(2n)).toMatchObject({ isDeleted: true, keys: [] });
  const scope = { owner: "ns_dnssec", tables: new Set(["nsDNSSECKeys"]) };
  const { rows } = await rig.edgehelm.engine.scan({ sql: "select id from nsDNSSECKeys", scope }, [], Date.now() + 5000);
  expect(rows).toEqual([]);
});
