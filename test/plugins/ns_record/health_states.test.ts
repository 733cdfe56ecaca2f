import { as, stub, TestClock, type TestKernel } from "edgehelm/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { ada, admin, bob, bytes, createDomain, createRecord, recordKernel, rpc } from "./rig.ts";

const OFF = { isOn: false, port: 0, timeoutSeconds: 0, countUp: 0, countDown: 0 };
const ON = { ...OFF, isOn: true };

let active: bigint[];
let clock: TestClock;
let edgehelm: TestKernel;
let nsDomainId: bigint;

beforeEach(async () => {
  active = [1n, 2n, 3n];
  clock = new TestClock();
  const nodes = stub(NSNodes, {
    followedCluster: async () => 1n,
    callingNode: async ({ caller }) => ({ id: caller.role === "dns" ? caller.nodeId : 0n, nsClusterId: 1n }),
    activeNodes: async (_call, id) => id === 1n ? active : [],
    names: async (_call, ids) => new Map(ids.filter((id) => id !== 3n).map((id) => [id, `ns${id}`])),
  });
  edgehelm = await recordKernel([nodes], { clock });
  nsDomainId = await createDomain(edgehelm, ada, "shop.test");
  await edgehelm.call(admin, NSDomainService.method.updateNSDomainStatus, { nsDomainId, status: "verified" });
  return () => edgehelm[Symbol.asyncDispose]();
});

const record = async (name: string, value: string, type = value.includes(":") ? "AAAA" : "A") =>
  (await createRecord(edgehelm, ada, { nsDomainId, name, type, value })).id;
const checkDomain = (check: object) =>
  edgehelm.call(ada, NSDomainService.method.updateNSDomainRecordsHealthCheck, {
    nsDomainId,
    nsDomainRecordsHealthCheckJSON: bytes(check),
  });
const check = (nsRecordId: bigint, settings: object) =>
  edgehelm.call(ada, rpc.updateNSRecordHealthCheck, { nsRecordId, nsRecordHealthCheckJSON: bytes(settings) });
const report = (node: bigint, nsRecordId: bigint, isUp = false) =>
  edgehelm.call(as.dns(node), rpc.updateNSRecordIsUp, { nsRecordId, isUp });
const list = (caller = admin, request: object = {}) =>
  edgehelm.call(caller, rpc.listNSRecordHealthStates, { nsDomainId, ...request });
const ids = async (request: object = {}) =>
  (await list(admin, request)).healthStates.map(({ nsRecordId }) => nsRecordId);
const count = async (request: object = {}) =>
  (await edgehelm.call(admin, rpc.countNSRecordHealthStates, { nsDomainId, ...request })).count;

describe("the records with a health check", () => {
  test("are those with one of their own, and those without one in a domain that has one", async () => {
    const [own, follows, off] = [
      await record("own", "203.0.113.1"),
      await record("follows", "2001:db8::1"),
      await record("off", "203.0.113.3"),
    ];
    await record("text", "203.0.113.4", "TXT");
    await check(own, ON);
    await check(off, OFF);
    expect(await ids()).toEqual([own]);
    await checkDomain(ON);
    expect(await ids()).toEqual([own, follows]);
    expect(await count()).toBe(2n);
    await checkDomain(OFF);
    expect(await ids()).toEqual([own]);
  });

  test("are on, of the domain and not deleted", async () => {
    await checkDomain(ON);
    const kept = await record("kept", "203.0.113.1");
    const gone = await record("gone", "203.0.113.2");
    const off = await record("off", "203.0.113.3");
    await edgehelm.call(ada, rpc.deleteNSRecord, { nsRecordId: gone });
    const turnedOff = { nsRecordId: off, name: "off", type: "A", value: "203.0.113.3", isOn: false };
    await edgehelm.call(ada, rpc.updateNSRecord, turnedOff);
    const other = await createDomain(edgehelm, ada, "other.test");
    const { id } = await createRecord(edgehelm, ada, { nsDomainId: other, name: "x", type: "A", value: "203.0.113.9" });
    await check(id, ON);
    expect(await ids()).toEqual([kept]);
    expect(await count()).toBe(1n);
  });

  test("come in pages of at most 100", async () => {
    await checkDomain(ON);
    const all = [await record("a", "203.0.113.1"), await record("b", "203.0.113.2"), await record("c", "203.0.113.3")];
    expect(await ids({ size: 2n })).toEqual(all.slice(0, 2));
    expect(await ids({ size: 2n, offset: 2n })).toEqual(all.slice(2));
    await expect(list(admin, { size: 101n })).rejects.toMatchObject({ reason: "kernel.invalid_field" });
  });

  test("of a domain with more addresses than are scanned inline are the same", async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}`);
    for (const value of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
      await edgehelm.call(ada, rpc.createNSRecords, { nsDomainId, names, type: "A", value });
    }
    const own = await record("own", "203.0.113.1");
    await check(own, ON);
    expect(await ids()).toEqual([own]);
    expect(await count()).toBe(1n);
  });
});

describe("a record", () => {
  let nsRecordId: bigint;
  beforeEach(async () => {
    nsRecordId = await record("www", "203.0.113.9");
    await check(nsRecordId, { ...ON, port: 443, countDown: 2 });
  });
  const state = async (caller = admin) => (await list(caller)).healthStates[0]!;

  test("has the numbers of its check, of its domain, or the defaults", async () => {
    await checkDomain({ ...OFF, port: 8080, timeoutSeconds: 7 });
    expect(await state()).toMatchObject({
      nsRecordId,
      name: "www",
      type: "A",
      value: "203.0.113.9",
      state: "up",
      downSince: 0n,
      port: 443,
      timeoutSeconds: 7,
      countDown: 2,
      countUp: 1,
      countReports: 0n,
      reports: [],
    });
  });

  test("is down since more than half of the active nodes report it, and names them", async () => {
    await report(1n, nsRecordId);
    expect(await state()).toMatchObject({ state: "up", countReports: 1n });
    const reportedAt = BigInt(Math.floor(clock.now() / 1000));
    clock.advance(30);
    await report(3n, nsRecordId);
    const since = reportedAt + 30n;
    const found = await list();
    expect(found.countActiveNodes).toBe(3n);
    expect(found.healthStates[0]).toMatchObject({ state: "down", downSince: since, countReports: 2n });
    expect(found.healthStates[0]!.reports.map(({ nsNodeId, nsNodeName, reportedAt }) => [
      nsNodeId,
      nsNodeName,
      reportedAt,
    ])).toEqual([[3n, "", since], [1n, "ns1", reportedAt]]);
    expect([await count({ isDown: true }), await ids({ isDown: true })]).toEqual([1n, [nsRecordId]]);
    clock.advance(60);
    await report(3n, nsRecordId);
    expect(await state()).toMatchObject({ downSince: since });
    await report(1n, nsRecordId, true);
    expect(await state()).toMatchObject({ state: "up", downSince: 0n, countReports: 1n });
    expect([await count({ isDown: true }), await ids({ isDown: true })]).toEqual([0n, []]);
  });

  test("shows its owner how many nodes report it, and not which", async () => {
    await report(1n, nsRecordId);
    await report(2n, nsRecordId);
    expect(await state(ada)).toMatchObject({ state: "down", countReports: 2n, reports: [] });
  });

  test("has no reports that lapsed, or of nodes that are not active", async () => {
    await report(1n, nsRecordId);
    clock.advance(300);
    await report(2n, nsRecordId);
    clock.advance(300);
    expect(await state()).toMatchObject({ countReports: 1n, reports: [{ nsNodeId: 2n }] });
    active = [1n, 3n];
    expect(await state()).toMatchObject({ countReports: 0n, reports: [] });
  });

  test("names at most 20 nodes, the latest", async () => {
    active = Array.from({ length: 25 }, (_, index) => BigInt(index + 1));
    for (const node of active) {
      clock.advance(1);
      await report(node, nsRecordId);
    }
    const { countReports, reports } = await state();
    expect([countReports, reports.length, reports[0]!.nsNodeId, reports.at(-1)!.nsNodeId]).toEqual([25n, 20, 25n, 6n]);
  });

  test("is out after a person took it out", async () => {
    await edgehelm.call(ada, rpc.updateNSRecordIsUp, { nsRecordId, isUp: false });
    expect(await state()).toMatchObject({ state: "out", downSince: 0n });
    expect(await count({ isDown: true })).toBe(1n);
  });

  test("with an internal address of a user is not checked, unless it is the installation's", async () => {
    const internal = await record("in", "10.0.0.1");
    await check(internal, ON);
    expect((await list()).healthStates.map(({ state }) => state)).toEqual(["up", "unchecked"]);
    const own = await createDomain(edgehelm, admin, "own.test");
    const { id } = await createRecord(edgehelm, admin, { nsDomainId: own, name: "in", type: "A", value: "10.0.0.1" });
    await edgehelm.call(admin, rpc.updateNSRecordHealthCheck, { nsRecordId: id, nsRecordHealthCheckJSON: bytes(ON) });
    expect((await list(admin, { nsDomainId: own })).healthStates.map(({ state }) => state)).toEqual(["up"]);
  });
});

test("another user sees nothing", async () => {
  await checkDomain(ON);
  await record("www", "203.0.113.1");
  expect((await list(bob)).healthStates).toEqual([]);
  expect((await edgehelm.call(bob, rpc.countNSRecordHealthStates, { nsDomainId })).count).toBe(0n);
  expect((await list(ada)).healthStates).toHaveLength(1);
});
