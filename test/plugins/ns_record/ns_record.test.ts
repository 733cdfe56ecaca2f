import { as, stub, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { ada, admin, bob, bytes, createDomain, createRecord, recordKernel, rpc } from "./rig.ts";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await recordKernel([
    stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n }),
  ]);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const changesAfter = async (version = 0n, node = 1n) =>
  (await edgehelm.call(as.dns(node), rpc.listNSRecordsAfterVersion, { version, size: 10_000n })).nsRecords;
const latestVersion = async () =>
  (await edgehelm.call(admin, rpc.listNSRecordsAfterVersion, { size: 10_000n })).nsRecords.at(-1)?.version ?? 0n;

async function values(nsDomainId: bigint, filter = {}) {
  const { nsRecords } = await edgehelm.call(admin, rpc.listNSRecords, { nsDomainId, size: 1000n, ...filter });
  return nsRecords.map(({ name, type, value }) => `${name} ${type} ${value}`);
}

test("a user manages the records of a domain, and its nodes receive the changes", async () => {
  const nsDomainId = await createDomain(edgehelm, ada, "day.test");
  const www = { nsDomainId, name: "www", type: "A", value: "192.0.2.1", nsRouteCodes: ["world:US", "world:US"] };
  const record = await createRecord(edgehelm, ada, { ...www, description: "front", weight: 5, ttl: 60 });
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
  const [seen] = await changesAfter(record.version);
  expect(seen).toMatchObject({
    id: nsRecordId,
    value: "192.0.2.2",
    isUp: false,
    version: record.version + 3n,
    nsDomain: { id: nsDomainId },
    nsRoutes: [{ code: "default" }],
  });
  await edgehelm.call(ada, rpc.deleteNSRecord, { nsRecordId });
  expect(await changesAfter(seen!.version)).toMatchObject([{ id: nsRecordId, isDeleted: true }]);
  expect((await edgehelm.call(ada, rpc.findNSRecord, { nsRecordId })).nsRecord).toBeUndefined();
  expect((await edgehelm.call(ada, rpc.countAllNSRecords, { nsDomainId })).count).toBe(0n);
  await expect(edgehelm.call(ada, rpc.deleteNSRecord, { nsRecordId })).rejects.toMatchObject({ code: 404 });
});

describe("conflicts", () => {
  test("a CNAME can share a name with CNAMEs, with records of other routes, and with records turned off", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "cname.test");
    const cname = { nsDomainId, name: "www", type: "CNAME", value: "a.example.com" };
    const first = await createRecord(edgehelm, ada, cname);
    await createRecord(edgehelm, ada, { ...cname, value: "b.example.com", weight: 3 });
    const address = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    await expect(edgehelm.call(ada, rpc.createNSRecord, address))
      .rejects.toMatchObject({ code: 409, reason: "ns_record.beside_cname" });
    const otherRoute = await createRecord(edgehelm, ada, { ...address, nsRouteCodes: ["world:US"] });
    await expect(edgehelm.call(ada, rpc.createNSRecord, { ...cname, nsRouteCodes: ["isp:google", "world:US"] }))
      .rejects.toMatchObject({ reason: "ns_record.beside_others" });
    const off = { nsRecordId: otherRoute.id, name: "www", type: "A", value: "192.0.2.1", isOn: false };
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

  test("identical records are refused, regardless of the order of their routes", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "twice.test");
    const record = { nsDomainId, name: "www", type: "MX", value: "mx.test", mxPriority: 10 };
    await createRecord(edgehelm, ada, { ...record, nsRouteCodes: ["world:US", "isp:google"] });
    await createRecord(edgehelm, ada, { ...record, mxPriority: 20, nsRouteCodes: ["isp:google", "world:US"] });
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

  test("a record refers to a route by code or id, and the route cannot be deleted", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "routes.test");
    const request = { name: "office", rangesJSON, isPublic: true };
    const { nsRouteId } = await edgehelm.call(admin, NSRouteService.method.createNSRoute, request);
    const record = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    const { id: nsRecordId, nsRoutes } = await createRecord(edgehelm, ada, { ...record, nsRouteIds: [nsRouteId] });
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

  test("a user cannot use routes of other users or clusters, private routes, or routes that do not exist", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "scope.test");
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

test("another user's records are not found and cannot be changed, not even in bulk", async () => {
  const nsDomainId = await createDomain(edgehelm, ada, "hers.test");
  const { id: nsRecordId } = await createRecord(edgehelm, ada, { nsDomainId, name: "a", type: "TXT", value: "mine" });
  expect((await edgehelm.call(bob, rpc.findNSRecord, { nsRecordId })).nsRecord).toBeUndefined();
  expect((await edgehelm.call(bob, rpc.listNSRecords, { nsDomainId })).nsRecords).toEqual([]);
  const notFound = { code: 404 };
  const update = { nsRecordId, name: "a", type: "TXT", value: "his" };
  await expect(edgehelm.call(bob, rpc.updateNSRecord, update)).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, rpc.deleteNSRecord, { nsRecordId })).rejects.toMatchObject(notFound);
  const nsRecords = [{ nsDomainName: "hers.test", name: "b", type: "TXT", value: "his" }];
  await expect(edgehelm.call(bob, rpc.importNSRecords, { nsRecords, userId: 7n })).rejects.toMatchObject(notFound);
  const search = { nsDomainNames: ["hers.test"], searchName: "a", userId: 7n };
  await expect(edgehelm.call(bob, rpc.deleteNSRecordsWithDomainNames, search)).rejects.toMatchObject(notFound);
  expect(await values(nsDomainId)).toEqual(["a TXT mine"]);
});

test("records move with their domain to another cluster and are deleted with it", async () => {
  const nsDomainId = await createDomain(edgehelm, ada, "moving.test");
  const names = Array.from({ length: 700 }, (_, index) => `n${index}`);
  await edgehelm.call(ada, rpc.createNSRecords, { nsDomainId, names, type: "A", value: "192.0.2.1" });
  const version = await latestVersion();
  const domain = { nsDomainId, nsClusterId: 2n, userId: 7n, isOn: true };
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, domain);
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(await changesAfter(version, 1n)).toEqual([]);
  const arrived = await changesAfter(version, 2n);
  expect(arrived.length).toBe(700);
  expect(new Set(arrived.map((record) => record.version)).size).toBe(700);
  // moved away and back before the job ran: nodes that dropped the records receive them again
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, { ...domain, nsClusterId: 1n });
  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, domain);
  await edgehelm.kernel.runJob("ns_domain.follow");
  const resent = await changesAfter(arrived.at(-1)!.version, 2n);
  expect(resent.map(({ id }) => id)).toEqual(arrived.map(({ id }) => id));
  await edgehelm.call(ada, NSDomainService.method.deleteNSDomain, { nsDomainId });
  expect((await edgehelm.call(ada, rpc.listNSRecords, { nsDomainId })).nsRecords).toEqual([]);
  await edgehelm.kernel.runJob("ns_domain.follow");
  const deleted = await changesAfter(resent.at(-1)!.version, 2n);
  expect(deleted.filter(({ isDeleted }) => isDeleted).length).toBe(700);
});
