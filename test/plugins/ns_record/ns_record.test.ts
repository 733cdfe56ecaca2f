import { as, stub, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { ada, admin, bob, bytes, created, domainOf, recordKernel, rpc } from "./rig.ts";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await recordKernel([
    stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n }),
  ]);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const follow = async (version = 0n, node = 1n) =>
  (await edgehelm.call(as.dns(node), rpc.listNSRecordsAfterVersion, { version, size: 10_000n })).nsRecords;
const latest = async () =>
  (await edgehelm.call(admin, rpc.listNSRecordsAfterVersion, { size: 10_000n })).nsRecords.at(-1)?.version ?? 0n;

async function values(nsDomainId: bigint, more = {}) {
  const { nsRecords } = await edgehelm.call(admin, rpc.listNSRecords, { nsDomainId, size: 1000n, ...more });
  return nsRecords.map(({ name, type, value }) => `${name} ${type} ${value}`);
}

test("a user keeps the records of a domain, and its nodes follow", async () => {
  const nsDomainId = await domainOf(edgehelm, ada, "day.test");
  const www = { nsDomainId, name: "www", type: "A", value: "192.0.2.1", nsRouteCodes: ["world:US", "world:US"] };
  const record = await created(edgehelm, ada, { ...www, description: "front", weight: 5, ttl: 60 });
  expect(record).toMatchObject({
    nsDomain: { id: nsDomainId, name: "day.test" },
    nsRoutes: [{ code: "world:US", name: "United States" }],
    weight: 5,
    ttl: 60,
    description: "front",
  });
  const nsRecordId = record.id;
  await edgehelm.call(ada, rpc.updateNSRecord, { nsRecordId, name: "www", type: "A", value: "192.0.2.2", isOn: true });
  await edgehelm.call(ada, rpc.updateNSRecordIsUp, { nsRecordId, isUp: false });
  const health = { nsRecordId, nsRecordHealthCheckJSON: bytes({ isOn: true, port: 443 }) };
  await edgehelm.call(ada, rpc.updateNSRecordHealthCheck, health);
  const found = await edgehelm.call(ada, rpc.findNSRecordHealthCheck, { nsRecordId });
  expect(JSON.parse(new TextDecoder().decode(found.nsRecordHealthCheckJSON)))
    .toEqual({ isOn: true, port: 443, timeoutSeconds: 0, countUp: 0, countDown: 0 });
  const [seen] = await follow(record.version);
  expect(seen).toMatchObject({
    id: nsRecordId,
    value: "192.0.2.2",
    isUp: false,
    version: record.version + 3n,
    nsDomain: { id: nsDomainId },
    nsRoutes: [{ code: "default" }],
  });
  await edgehelm.call(ada, rpc.deleteNSRecord, { nsRecordId });
  expect(await follow(seen!.version)).toMatchObject([{ id: nsRecordId, isDeleted: true }]);
  expect((await edgehelm.call(ada, rpc.findNSRecord, { nsRecordId })).nsRecord).toBeUndefined();
  expect((await edgehelm.call(ada, rpc.countAllNSRecords, { nsDomainId })).count).toBe(0n);
  await expect(edgehelm.call(ada, rpc.deleteNSRecord, { nsRecordId })).rejects.toMatchObject({ code: 404 });
});

describe("what can stand beside what", () => {
  test("a CNAME shares a name with others of other routes, with CNAMEs, and with what is off", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "cname.test");
    const cname = { nsDomainId, name: "www", type: "CNAME", value: "a.example.com" };
    const first = await created(edgehelm, ada, cname);
    await created(edgehelm, ada, { ...cname, value: "b.example.com", weight: 3 });
    const address = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    await expect(edgehelm.call(ada, rpc.createNSRecord, address))
      .rejects.toMatchObject({ code: 409, reason: "ns_record.beside_cname" });
    const elsewhere = await created(edgehelm, ada, { ...address, nsRouteCodes: ["world:US"] });
    await expect(edgehelm.call(ada, rpc.createNSRecord, { ...cname, nsRouteCodes: ["isp:google", "world:US"] }))
      .rejects.toMatchObject({ reason: "ns_record.beside_others" });
    const off = { nsRecordId: elsewhere.id, name: "www", type: "A", value: "192.0.2.1", isOn: false };
    await edgehelm.call(ada, rpc.updateNSRecord, off);
    await expect(edgehelm.call(ada, rpc.updateNSRecord, { ...off, isOn: true }))
      .rejects.toMatchObject({ reason: "ns_record.beside_cname" });
    const turnOn = { nsDomainNames: ["cname.test"], searchName: "www", searchType: "A", isOn: true };
    await expect(edgehelm.call(ada, rpc.updateNSRecordsIsOnWithDomainNames, turnOn))
      .rejects.toMatchObject({ reason: "ns_record.beside_cname" });
    await edgehelm.call(ada, rpc.updateNSRecord, {
      nsRecordId: first.id,
      name: "www",
      type: "CNAME",
      value: "c.example.com",
      isOn: true,
    });
  });

  test("no record is there twice, whatever the order of its routes", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "twice.test");
    const record = { nsDomainId, name: "www", type: "MX", value: "mx.test", mxPriority: 10 };
    await created(edgehelm, ada, { ...record, nsRouteCodes: ["world:US", "isp:google"] });
    await created(edgehelm, ada, { ...record, mxPriority: 20, nsRouteCodes: ["isp:google", "world:US"] });
    const again = { ...record, value: "MX.test.", nsRouteCodes: ["isp:google", "world:US"] };
    await expect(edgehelm.call(ada, rpc.createNSRecord, again))
      .rejects.toMatchObject({ code: 409, reason: "ns_record.duplicate" });
    await expect(edgehelm.call(ada, rpc.createNSRecords, { ...record, names: ["a", "b", "A"] }))
      .rejects.toMatchObject({ reason: "ns_record.duplicate" });
    expect((await edgehelm.call(ada, rpc.countAllNSRecords, { nsDomainId })).count).toBe(2n);
  });
});

describe("routes", () => {
  const rangesJSON = bytes([{ type: "cidr", params: { cidr: "192.0.2.0/24" } }]);

  test("a record uses a route by code or number, which then cannot be deleted", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "routes.test");
    const request = { name: "office", rangesJSON, isPublic: true };
    const { nsRouteId } = await edgehelm.call(admin, NSRouteService.method.createNSRoute, request);
    const record = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    const { id: nsRecordId, nsRoutes } = await created(edgehelm, ada, { ...record, nsRouteIds: [nsRouteId] });
    expect(nsRoutes).toMatchObject([{ id: nsRouteId, code: `id:${nsRouteId}`, name: "office" }]);
    expect(await values(nsDomainId, { nsRouteCode: `id:${nsRouteId}` })).toEqual(["www A 192.0.2.1"]);
    expect(await values(nsDomainId, { nsRouteCode: "default" })).toEqual([]);
    const deleting = () => edgehelm.call(admin, NSRouteService.method.deleteNSRoute, { nsRouteId });
    await expect(deleting()).rejects.toMatchObject({
      code: 409,
      message: `DNS route ${nsRouteId} is used by record "www A" of domain "routes.test"`,
    });
    await edgehelm.call(ada, rpc.updateNSRecord, { nsRecordId, name: "www", type: "A", value: "192.0.2.1" });
    await deleting();
  });

  test("a user may not use what is another's or for another place, nor what does not exist", async () => {
    const nsDomainId = await domainOf(edgehelm, ada, "place.test");
    const ids = await Promise.all([{ userId: 8n }, { nsClusterId: 2n, isPublic: true }, { isPublic: false }].map(
      async (scope) =>
        (await edgehelm.call(admin, NSRouteService.method.createNSRoute, { name: "r", rangesJSON, ...scope }))
          .nsRouteId,
    ));
    for (const code of [...ids.map((id) => `id:${id}`), "world:XX", "id:0"]) {
      const creating = edgehelm.call(ada, rpc.createNSRecord, {
        nsDomainId,
        type: "A",
        value: "192.0.2.1",
        nsRouteCodes: ["world:US", code],
      });
      await expect(creating).rejects.toMatchObject({
        code: 400,
        reason: "ns_route.unknown_code",
        message: expect.stringContaining("nsRouteCodes[1]"),
      });
    }
  });
});

test("another user's records read as missing and cannot be changed, in bulk neither", async () => {
  const nsDomainId = await domainOf(edgehelm, ada, "hers.test");
  const { id: nsRecordId } = await created(edgehelm, ada, { nsDomainId, name: "a", type: "TXT", value: "mine" });
  expect((await edgehelm.call(bob, rpc.findNSRecord, { nsRecordId })).nsRecord).toBeUndefined();
  expect((await edgehelm.call(bob, rpc.listNSRecords, { nsDomainId })).nsRecords).toEqual([]);
  const refused = { code: 404 };
  const update = { nsRecordId, name: "a", type: "TXT", value: "his" };
  await expect(edgehelm.call(bob, rpc.updateNSRecord, update)).rejects.toMatchObject(refused);
  await expect(edgehelm.call(bob, rpc.deleteNSRecord, { nsRecordId })).rejects.toMatchObject(refused);
  const nsRecords = [{ nsDomainName: "hers.test", name: "b", type: "TXT", value: "his" }];
  await expect(edgehelm.call(bob, rpc.importNSRecords, { nsRecords, userId: 7n })).rejects.toMatchObject(refused);
  const search = { nsDomainNames: ["hers.test"], searchName: "a", userId: 7n };
  await expect(edgehelm.call(bob, rpc.deleteNSRecordsWithDomainNames, search)).rejects.toMatchObject(refused);
  expect(await values(nsDomainId)).toEqual(["a TXT mine"]);
});

test("records come with their domain to another cluster, and go with it", async () => {
  const nsDomainId = await domainOf(edgehelm, ada, "moving.test");
  const names = Array.from({ length: 700 }, (_, index) => `n${index}`);
  await edgehelm.call(ada, rpc.createNSRecords, { nsDomainId, names, type: "A", value: "192.0.2.1" });
  const version = await latest();
  const place = { nsDomainId, nsClusterId: 2n, userId: 7n, isOn: true };
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, place);
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(await follow(version, 1n)).toEqual([]);
  const arrived = await follow(version, 2n);
  expect(arrived.length).toBe(700);
  expect(new Set(arrived.map((record) => record.version)).size).toBe(700);
  // away and back again before anything followed: nodes that dropped the records get them again
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, { ...place, nsClusterId: 1n });
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, place);
  await edgehelm.kernel.runJob("ns_domain.follow");
  const again = await follow(arrived.at(-1)!.version, 2n);
  expect(again.map(({ id }) => id)).toEqual(arrived.map(({ id }) => id));
  await edgehelm.call(ada, NSDomainService.method.deleteNSDomain, { nsDomainId });
  expect((await edgehelm.call(ada, rpc.listNSRecords, { nsDomainId })).nsRecords).toEqual([]);
  await edgehelm.kernel.runJob("ns_domain.follow");
  const gone = await follow(again.at(-1)!.version, 2n);
  expect(gone.filter(({ isDeleted }) => isDeleted).length).toBe(700);
});
