import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { edgehelm, useKernel, values } from "./node_rig.ts";
import { ada, admin, bob, bytes, createDomain, createRecord, rpc } from "./rig.ts";

useKernel();

const changesAfter = async (version = 0n, node = 1n) =>
  (await edgehelm.call(as.dns(node), rpc.listNSRecordsAfterVersion, { version, size: 10_000n })).nsRecords;
const latestVersion = async () =>
  (await edgehelm.call(admin, rpc.listNSRecordsAfterVersion, { size: 10_000n })).nsRecords.at(-1)?.version ?? 0n;

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
