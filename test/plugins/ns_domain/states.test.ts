import { definePlugin } from "edgehelm";
import { as, stub } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { UserStateListeners } from "../../../plugins/user/contract.ts";
import { NodeView } from "./node_view.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();
const ada = as.user(7n);
const nodes = stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n });
const POLL_SIZE = 3n;

async function open() {
  const unserved = new Set<bigint>();
  const edgehelm = await domainKernel({ plugins: [records], stubs: [nodes], unserved });
  const node = new NodeView(edgehelm, 1n);
  return {
    edgehelm,
    unserved,
    node,
    async namesOnNode() {
      await node.poll(POLL_SIZE);
      return node.names;
    },
    async create(name: string, overrides = {}) {
      const request = { name, nsClusterId: 1n, ...overrides };
      return (await edgehelm.call(admin, service.createNSDomain, request)).nsDomainId;
    },
    [Symbol.asyncDispose]: () => edgehelm[Symbol.asyncDispose](),
  };
}

test("finding 5: a node receives a domain while its status is verified, and no longer than that", async () => {
  await using day = await open();
  const nsDomainId = await day.create("a.test");
  for (const status of ["none", "forbidden", "rejected"]) {
    expect(await day.namesOnNode()).toEqual(["a.test"]);
    await day.edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId, status });
    expect(await day.namesOnNode()).toEqual([]);
    await day.edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId, status: "verified" });
  }
});

test("a node does not receive an unverified domain beside the verified one with its name", async () => {
  await using day = await open();
  const verified = await day.create("a.test");
  await day.edgehelm.call(ada, service.createNSDomain, { name: "a.test" });
  await day.namesOnNode();
  expect(day.node.content.domains).toEqual([`${verified} a.test`]);
  await day.edgehelm.call(admin, service.deleteNSDomain, { nsDomainId: verified });
  expect(await day.namesOnNode()).toEqual([]);
});

test("the feed gives a withheld domain and its records as deleted, and one that is off as off", async () => {
  await using day = await open();
  const nsDomainId = await day.create("a.test");
  const record = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
  await day.edgehelm.call(admin, NSRecordService.method.createNSRecord, record);
  const fed = async () => {
    const [domain] = (await day.edgehelm.call(as.dns(1n), service.listNSDomainsAfterVersion, {})).nsDomains;
    const feed = NSRecordService.method.listNSRecordsAfterVersion;
    const [fedRecord] = (await day.edgehelm.call(as.dns(1n), feed, {})).nsRecords;
    return [domain, fedRecord].map((object) => [object!.isOn, object!.isDeleted]);
  };
  expect(await fed()).toEqual([[true, false], [true, false]]);
  await day.edgehelm.call(admin, service.updateNSDomain, { nsDomainId, nsClusterId: 1n, isOn: false });
  expect(await fed()).toEqual([[false, false], [false, true]]);
  await day.edgehelm.call(admin, service.updateNSDomain, { nsDomainId, nsClusterId: 1n, isOn: true });
  await day.edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId, status: "forbidden" });
  expect(await fed()).toEqual([[false, true], [false, true]]);
  const { nsDomain } = await day.edgehelm.call(admin, service.findNSDomain, { nsDomainId });
  expect(nsDomain).toMatchObject({ isOn: true, isDeleted: false, status: "forbidden" });
});

test("the domains of a user whose state changes leave the nodes and return, each with one new version", async () => {
  const changed = { run: async (_userId: bigint) => {} };
  const users = definePlugin({
    manifest: { name: "states", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    setup({ contributions, every, systemCall }) {
      const listeners = contributions(UserStateListeners);
      changed.run = (userId) =>
        systemCall("state").transact(async (call) => {
          for (const listener of listeners) await listener.changed(call, userId, "verified");
        });
      every({ name: "unused", everySeconds: 86_400, run: () => Promise.resolve() });
    },
  });
  const unserved = new Set<bigint>();
  await using edgehelm = await domainKernel({ plugins: [records, users], stubs: [nodes], unserved });
  const namesOf = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}.test`);
  const few = namesOf("few", 3);
  await edgehelm.call(admin, service.createNSDomains, { names: few, nsClusterId: 1n, userId: 7n });
  for (let part = 0; part < 2; part++) {
    const many = namesOf(`many${part}x`, 400);
    await edgehelm.call(admin, service.createNSDomains, { names: many, nsClusterId: 1n, userId: 8n });
  }
  const node = new NodeView(edgehelm, 1n);
  const poll = () => node.poll(1000n).then(() => node.names.length);
  const latest = async () =>
    (await edgehelm.call(admin, service.listNSDomainsAfterVersion, { size: 10_000n }))
      .nsDomains.at(-1)!.version;
  expect(await poll()).toBe(803);

  const before = await latest();
  unserved.add(7n);
  await changed.run(7n);
  expect(await poll()).toBe(800);
  expect(await latest() - before).toBe(3n);
  unserved.delete(7n);
  await changed.run(7n);
  expect(await poll()).toBe(803);

  const beforeMany = await latest();
  unserved.add(8n);
  await changed.run(8n);
  expect(await latest() - beforeMany).toBe(0n);
  await edgehelm.kernel.runJob("ns_domain.publish");
  expect(await latest() - beforeMany).toBe(800n);
  expect(await poll()).toBe(3);
  await edgehelm.kernel.runJob("ns_domain.publish");
  expect(await latest() - beforeMany).toBe(800n);
  unserved.delete(8n);
  await changed.run(8n);
  await edgehelm.kernel.runJob("ns_domain.publish");
  expect(await poll()).toBe(803);
});
