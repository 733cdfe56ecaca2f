import { create } from "@bufbuild/protobuf";
import { stub } from "edgehelm/testing";
import { expect, test } from "vitest";
import plugin from "../../../plugins/ns_dnssec/plugin.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { exchangeOverUdp, startDoh } from "../../servers/doh.ts";
import { domainKernel } from "../ns_domain/rig.ts";
import { open } from "../../../plugins/ns_domain/host.ts";
import { NSDomainConfigSchema } from "../../../plugins/ns_domain/proto/config_pb.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { freePort, nsdRuns, startNsd } from "../../servers/nsd.ts";
import { ada, admin, HOUR, Rig, rpc } from "./rig.ts";

const OTHER = "shop.test. IN DS 4711 13 2 E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
const QUARTER = HOUR / 4n;

test("parents are checked, and owners learn that DS records are missing or wrong", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  const [ds] = (await rig.find(nsDomainId)).dsRecords;
  const state = async () => (await rig.find(nsDomainId)).parentStatus;
  await rig.runJobs();
  expect(await rig.find(nsDomainId)).toMatchObject({ parentStatus: "none", parentCheckedAt: rig.now });
  rig.publish("shop.test", ds!);
  await rig.pass(QUARTER - 1n);
  expect(await state()).toBe("none");
  await rig.pass(1n);
  expect(await state()).toBe("present");
  rig.publish("shop.test");
  await rig.pass(6n * HOUR - 1n);
  expect(await state()).toBe("present");
  await rig.pass(1n);
  expect(await state()).toBe("missing");
  expect((await emittedBy(rig.edgehelm, "ns_dnssec")).at(-1)).toEqual({
    name: "ns_dnssec.ds_missing",
    userId: 7n,
    data: { nsDomainId: String(nsDomainId), name: "shop.test", ds, parentStatus: "missing" },
  });
  await rig.pass(QUARTER);
  expect(await rig.events()).toEqual(["keys_made", "ds_missing"]);
  rig.publish("shop.test", OTHER);
  await rig.pass(QUARTER);
  expect(await state()).toBe("wrong");
  expect(await rig.events()).toEqual(["keys_made", "ds_missing", "ds_missing"]);
  rig.publish("shop.test", OTHER, ds!);
  await rig.pass(QUARTER);
  expect(await state()).toBe("present");
});

test("many parents are checked in one run", async () => {
  const rig = await Rig.open();
  const ids: bigint[] = [];
  for (let at = 0; at < 25; at++) ids.push(await rig.signed(`shop${at}.test`));
  rig.publish("shop7.test", (await rig.find(ids[7]!)).dsRecords[0]!);
  await rig.runJobs();
  const found = await Promise.all(ids.map(async (id) => (await rig.find(id)).parentStatus));
  expect(found).toEqual(ids.map((_id, at) => at === 7 ? "present" : "none"));
});

test("the DS record of either key will do during a rollover", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  await rig.edgehelm.call(ada, rpc.startNSDomainKSKRollover, { nsDomainId });
  rig.publish("shop.test", (await rig.find(nsDomainId)).dsRecords[1]!);
  await rig.runJobs();
  expect((await rig.find(nsDomainId)).parentStatus).toBe("present");
});

test("a parent that cannot be asked is asked again, and others are checked meanwhile", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  rig.publish("shop.test", (await rig.find(nsDomainId)).dsRecords[0]!);
  rig.isParentDown = true;
  await rig.runJobs();
  expect(await rig.find(nsDomainId)).toMatchObject({ parentStatus: "", parentCheckedAt: 0n });
  rig.isParentDown = false;
  await rig.pass(QUARTER);
  expect((await rig.find(nsDomainId)).parentStatus).toBe("present");
});

test("no event is for DS records that are removed before a domain is unsigned", async () => {
  const rig = await Rig.open();
  const nsDomainId = await rig.signed("shop.test");
  rig.publish("shop.test", (await rig.find(nsDomainId)).dsRecords[0]!);
  await rig.runJobs();
  rig.publish("shop.test");
  await rig.edgehelm.call(ada, rpc.disableNSDomainDNSSEC, { nsDomainId });
  await rig.pass(6n * HOUR);
  expect((await rig.find(nsDomainId)).parentStatus).toBe("missing");
  expect(await rig.events()).toEqual(["keys_made"]);
});

test.skipIf(!nsdRuns())("DS records are read from a DNS server over TCP", async () => {
  const data = OTHER.split(" ").slice(3).join(" ");
  const more = data.replace("4711", "4712").toLowerCase();
  await using nsd = await startNsd({
    "test": `@ IN NS ns.test.\nshop IN NS ns.shop\nshop IN DS ${data}\nshop IN DS ${more}`,
  });
  const resolverOf = (...resolvers: string[]) =>
    open(create(NSDomainConfigSchema, { resolvers, resolveTimeoutMilliseconds: 2000n }));
  const call = undefined as never;
  const found = await resolverOf(nsd.address).ds(call, "shop.test");
  expect(found.toSorted()).toEqual([data, data.replace("4711", "4712")]);
  expect(await resolverOf(nsd.address).ds(call, "other.test")).toEqual([]);
  const closed = `127.0.0.1:${await freePort()}`;
  expect(await resolverOf(closed, nsd.address).ds(call, "shop.test")).toHaveLength(2);
  await expect(resolverOf(closed).ds(call, "shop.test")).rejects.toMatchObject({
    reason: "kernel.unavailable",
    message: expect.stringContaining("shop.test"),
  });
  // a server that serves no such zone refuses
  await expect(resolverOf(nsd.address).ds(call, "shop.example")).rejects.toThrow(/DNS response code 5/);
});

test.skipIf(!nsdRuns())(
  "parents are asked over HTTPS as well, and what they publish is the DS record of the key",
  async () => {
    let address = "";
    await using doh = await startDoh(async (message) => ({ body: await exchangeOverUdp(address, message) }));
    const nodes = stub(NSNodes, { followedCluster: () => Promise.resolve(0n) });
    await using edgehelm = await domainKernel({
      plugins: [plugin],
      stubs: [nodes],
      config: { dohServers: [doh.url] },
      outbound: { allow: ["127.0.0.0/8"] },
    });
    const request = { name: "shop.test", nsClusterId: 1n, userId: 7n };
    const { nsDomainId } = await edgehelm.call(admin, NSDomainService.method.createNSDomain, request);
    await edgehelm.call(ada, rpc.enableNSDomainDNSSEC, { nsDomainId });
    const find = async () => await edgehelm.call(ada, rpc.findNSDomainDNSSEC, { nsDomainId });
    const record = (await find()).dsRecords[0]!.replace(/^\S+/, "shop");
    await using nsd = await startNsd({ "test": `@ IN NS ns.test.\nshop IN NS ns.shop\n${record}` });
    address = nsd.address;
    await edgehelm.kernel.runJob("ns_dnssec.check_parents");
    expect((await find()).parentStatus).toBe("present");
  },
);
