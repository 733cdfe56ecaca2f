import { as, stub, TestClock, type TestKernel } from "edgehelm/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { database } from "../../../core/storage/database.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { ada, admin, bob, bytes, createDomain, createRecord, recordKernel, rpc } from "./rig.ts";

const CHECK = { isOn: true, port: 80, timeoutSeconds: 0, countUp: 0, countDown: 0 };

/** Nodes 1 to 3 are in cluster 1, node 4 in cluster 2. */
let active: bigint[];
let clock: TestClock;
let edgehelm: TestKernel;
let nsDomainId: bigint;
let nsRecordId: bigint;

beforeEach(async () => {
  active = [1n, 2n, 3n];
  clock = new TestClock();
  const nodes = stub(NSNodes, {
    followedCluster: async () => 1n,
    callingNode: async ({ caller }) => {
      const id = caller.role === "dns" ? caller.nodeId : 0n;
      return { id, nsClusterId: id === 4n ? 2n : 1n };
    },
    activeNodes: async (_call, id) => id === 1n ? active : [4n],
  });
  edgehelm = await recordKernel([nodes], { clock });
  nsDomainId = await createDomain(edgehelm, ada, "shop.test");
  await edgehelm.call(admin, NSDomainService.method.updateNSDomainStatus, { nsDomainId, status: "verified" });
  nsRecordId = (await createRecord(edgehelm, ada, { nsDomainId, name: "www", type: "A", value: "203.0.113.9" })).id;
  await check(CHECK);
  return () => edgehelm[Symbol.asyncDispose]();
});

function check(settings: typeof CHECK) {
  return edgehelm.call(ada, rpc.updateNSRecordHealthCheck, {
    nsRecordId,
    nsRecordHealthCheckJSON: bytes(settings),
  });
}

function report(node: bigint, isUp: boolean, id = nsRecordId) {
  return edgehelm.call(as.dns(node), rpc.updateNSRecordIsUp, { nsRecordId: id, isUp });
}

async function found() {
  return (await edgehelm.call(ada, rpc.findNSRecord, { nsRecordId })).nsRecord!;
}

const review = () => edgehelm.kernel.runJob("ns_record.review_health");
const isUp = async () => (await found()).isUp;

describe("reports of nodes", () => {
  test("take a record out while more than half of the active nodes say that it is down", async () => {
    const { version } = await found();
    await report(1n, false);
    expect(await isUp()).toBe(true);
    expect((await found()).version).toBe(version);
    await report(2n, false);
    expect(await isUp()).toBe(false);
    expect((await found()).version).toBeGreaterThan(version);
    await report(3n, false);
    expect(await isUp()).toBe(false);
    await report(1n, true);
    expect(await isUp()).toBe(false);
    await report(2n, true);
    expect(await isUp()).toBe(true);
  });

  test("of half of the nodes do not suffice", async () => {
    active = [1n, 2n];
    await report(1n, false);
    expect(await isUp()).toBe(true);
    await report(2n, false);
    expect(await isUp()).toBe(false);
  });

  test("count for the node that reports even before it counts as active", async () => {
    active = [];
    await report(1n, false);
    expect(await isUp()).toBe(false);
  });

  test("do not count when the node is no longer active", async () => {
    active = [1n, 2n];
    await report(1n, false);
    active = [2n, 3n];
    await report(2n, false);
    expect(await isUp()).toBe(true);
    active = [2n];
    await report(2n, false);
    expect(await isUp()).toBe(false);
  });

  test("repeated by one node count once", async () => {
    for (let count = 0; count < 3; count++) await report(1n, false);
    expect(await isUp()).toBe(true);
  });

  test("do not count, and are removed, when they were not repeated for ten minutes", async () => {
    active = [1n, 2n];
    await report(1n, false);
    clock.advance(600);
    await report(2n, false);
    expect(await isUp()).toBe(true);
    expect(await rows("nsRecordDownReports")).toBe(2);
    await review();
    expect(await rows("nsRecordDownReports")).toBe(1);
  });

  test("are events for the owner", async () => {
    active = [1n];
    await report(1n, false);
    await report(1n, false);
    await report(1n, true);
    await report(1n, true);
    const data = {
      nsRecordId: String(nsRecordId),
      name: "www",
      type: "A",
      value: "203.0.113.9",
      nsDomainId: String(nsDomainId),
      domain: "shop.test",
    };
    expect(await emittedBy(edgehelm, "ns_record")).toEqual([
      { name: "ns_record.went_down", userId: 7n, data },
      { name: "ns_record.came_up", userId: 7n, data },
    ]);
  });
});

describe("a record that nodes took out", () => {
  beforeEach(async () => {
    await report(1n, false);
    await report(2n, false);
    expect(await isUp()).toBe(false);
  });

  test("comes back when reports are not repeated", async () => {
    clock.advance(599);
    await report(1n, false);
    await review();
    expect(await isUp()).toBe(false);
    clock.advance(1);
    await review();
    expect(await isUp()).toBe(true);
  });

  test("comes back when its nodes are no longer active", async () => {
    active = [1n, 3n];
    await review();
    expect(await isUp()).toBe(true);
  });

  test("comes back at once when its check is turned off", async () => {
    await check({ ...CHECK, isOn: false });
    expect(await isUp()).toBe(true);
  });

  test("comes back when a person says that it is up, until nodes report it again", async () => {
    await edgehelm.call(ada, rpc.updateNSRecordIsUp, { nsRecordId, isUp: true });
    expect(await isUp()).toBe(true);
    await report(1n, false);
    expect(await isUp()).toBe(true);
    await report(2n, false);
    expect(await isUp()).toBe(false);
  });

  test("is forgotten with the record", async () => {
    await edgehelm.call(ada, rpc.deleteNSRecord, { nsRecordId });
    await review();
    expect(await rows("nsRecordOutages")).toBe(0);
    expect(await rows("nsRecordDownReports")).toBe(0);
  });
});

test("a record that a person took out stays out", async () => {
  await edgehelm.call(ada, rpc.updateNSRecordIsUp, { nsRecordId, isUp: false });
  for (const isUpNow of [false, true]) for (const node of [1n, 2n, 3n]) await report(node, isUpNow);
  expect(await isUp()).toBe(false);
  expect(await emittedBy(edgehelm, "ns_record")).toEqual([]);
});

describe("a report is refused", () => {
  const missing = (id: bigint) => ({ reason: "ns_record.not_found", message: `record ${id} does not exist` });

  test("from a node of another cluster", async () => {
    await expect(report(4n, false)).rejects.toMatchObject(missing(nsRecordId));
  });

  test("about a record that does not exist", async () => {
    await expect(report(1n, false, 99n)).rejects.toMatchObject(missing(99n));
  });

  test("about a record of a domain that nodes must not serve", async () => {
    await edgehelm.call(admin, NSDomainService.method.updateNSDomainStatus, { nsDomainId, status: "forbidden" });
    await expect(report(1n, false)).rejects.toMatchObject(missing(nsRecordId));
  });

  test("about a record whose check is off", async () => {
    await check({ ...CHECK, isOn: false });
    await expect(report(1n, false)).rejects.toMatchObject({ reason: "ns_record.not_checked" });
    expect(await rows("nsRecordDownReports")).toBe(0);
  });

  test("about a record that has no address", async () => {
    const { id } = await createRecord(edgehelm, ada, { nsDomainId, name: "t", type: "TXT", value: "203.0.113.9" });
    await edgehelm.call(ada, rpc.updateNSRecordHealthCheck, { nsRecordId: id, nsRecordHealthCheckJSON: bytes(CHECK) });
    await expect(report(1n, false, id)).rejects.toMatchObject({ reason: "ns_record.not_checked" });
  });

  test("about the internal address of a user", async () => {
    const { id } = await createRecord(edgehelm, ada, { nsDomainId, name: "in", type: "A", value: "10.0.0.1" });
    await edgehelm.call(ada, rpc.updateNSRecordHealthCheck, { nsRecordId: id, nsRecordHealthCheckJSON: bytes(CHECK) });
    await expect(report(1n, false, id)).rejects.toMatchObject({ reason: "ns_record.not_checked" });
  });
});

test("a person of another account cannot change whether a record is up", async () => {
  const change = edgehelm.call(bob, rpc.updateNSRecordIsUp, { nsRecordId, isUp: false });
  await expect(change).rejects.toMatchObject({ reason: "ns_record.not_found" });
});

test("the setting of the domain applies to records without one of their own", async () => {
  active = [1n];
  const { id } = await createRecord(edgehelm, ada, { nsDomainId, name: "api", type: "AAAA", value: "2001:db8::9" });
  await expect(report(1n, false, id)).rejects.toMatchObject({ reason: "ns_record.not_checked" });
  const ofDomain = { nsDomainId, nsDomainRecordsHealthCheckJSON: bytes(CHECK) };
  await edgehelm.call(ada, NSDomainService.method.updateNSDomainRecordsHealthCheck, ofDomain);
  await report(1n, false, id);
  expect((await edgehelm.call(ada, rpc.findNSRecord, { nsRecordId: id })).nsRecord).toMatchObject({ isUp: false });
  const off = { nsDomainId, nsDomainRecordsHealthCheckJSON: bytes({ ...CHECK, isOn: false }) };
  await edgehelm.call(ada, NSDomainService.method.updateNSDomainRecordsHealthCheck, off);
  await review();
  expect((await edgehelm.call(ada, rpc.findNSRecord, { nsRecordId: id })).nsRecord).toMatchObject({ isUp: true });
});

async function rows(table: string): Promise<number> {
  const db = database<Record<string, { nsRecordId: bigint }>>({ owner: "test", tables: undefined });
  return (await db(edgehelm.kernel.systemCall("test")).selectFrom(table).selectAll().execute()).length;
}
