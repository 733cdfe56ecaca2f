import { as, type TestClock, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReportNodeGroupService } from "../../../plugins/report_node_group/proto/service_report_node_group_pb.ts";
import { admin, bytes, parsed, reportKernel, reportNode, rpc } from "./rig.ts";

let edgehelm: TestKernel;
let clock: TestClock;
beforeAll(async () => {
  ({ edgehelm, clock } = await reportKernel());
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function find(reportNodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledReportNode, { reportNodeId })).reportNode;
}

const report = (id: bigint, status: object) =>
  edgehelm.call(as.report(id), rpc.updateReportNodeStatus, { statusJSON: bytes(status) });

async function group(name: string): Promise<bigint> {
  const { createReportNodeGroup } = ReportNodeGroupService.method;
  return (await edgehelm.call(admin, createReportNodeGroup, { name })).reportNodeGroupId;
}

test("an admin creates, changes and deletes a report node", async () => {
  const asia = await group("asia");
  const allowIPs = ["192.0.2.7", "2001:DB8::0:1"];
  const reportNodeId = await reportNode(edgehelm, "tokyo", { location: "Tokyo", allowIPs, reportNodeGroupIds: [asia] });
  const node = (await find(reportNodeId))!;
  expect(node).toMatchObject({
    name: "tokyo",
    location: "Tokyo",
    isOn: true,
    isActive: false,
    allowIPs: ["192.0.2.7", "2001:db8::1"],
    reportNodeGroups: [{ id: asia, name: "asia" }],
  });
  expect(node.uniqueId).toMatch(/^[0-9a-f]{32}$/);
  expect(node.secret).toMatch(/^[A-Za-z0-9]{32}$/);
  const { deleteReportNodeGroup } = ReportNodeGroupService.method;
  await expect(edgehelm.call(admin, deleteReportNodeGroup, { reportNodeGroupId: asia }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining('report node "tokyo"') });
  await edgehelm.call(admin, rpc.updateReportNode, { reportNodeId, name: "osaka", isp: "KDDI", isOn: true });
  expect(await find(reportNodeId)).toMatchObject({ name: "osaka", location: "", isp: "KDDI", reportNodeGroups: [] });
  await edgehelm.call(admin, deleteReportNodeGroup, { reportNodeGroupId: asia });
  await edgehelm.call(admin, rpc.deleteReportNode, { reportNodeId });
  expect(await find(reportNodeId)).toBeUndefined();
  await expect(edgehelm.call(admin, rpc.deleteReportNode, { reportNodeId })).rejects.toMatchObject({ code: 404 });
});

test.each([
  ["name", { name: "" }],
  ["allowIPs\\[1\\]", { allowIPs: ["192.0.2.1", "tokyo"] }],
  ["reportNodeGroupIds", { reportNodeGroupIds: [999n] }],
])("createReportNode refuses a wrong %s", async (field, wrong) => {
  await expect(reportNode(edgehelm, "bad", wrong))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}: `) });
});

test("lists contain inactive nodes first and filter by group and keyword", async () => {
  const own = await group("own");
  const ids = [];
  for (const name of ["one", "two", "three"]) ids.push(await reportNode(edgehelm, name, { reportNodeGroupIds: [own] }));
  const [one, two, three] = ids as [bigint, bigint, bigint];
  await report(three, { ip: "198.51.100.3", location: "Oslo", isp: "Telenor", custom: true });
  const list = async (filter: object) => {
    const request = { reportNodeGroupId: own, ...filter };
    const { reportNodes } = await edgehelm.call(admin, rpc.listEnabledReportNodes, request);
    expect((await edgehelm.call(admin, rpc.countAllEnabledReportNodes, request)).count)
      .toBe(BigInt(reportNodes.length));
    return reportNodes.map(({ id }) => id);
  };
  expect(await list({})).toEqual([two, one, three]);
  expect(await list({ keyword: "51.100" })).toEqual([three]);
  expect(await list({ keyword: "TW" })).toEqual([two]);
  const node = (await find(three))!;
  expect(node).toMatchObject({ isActive: true, location: "Oslo", isp: "Telenor" });
  expect(parsed(node.statusJSON)).toMatchObject({ custom: true, updatedAt: Math.floor(clock.now() / 1000) });
  clock.advance(61);
  expect((await find(three))?.isActive).toBe(false);
  await edgehelm.kernel.runJob("report_node.watch");
  expect(await list({})).toEqual([three, two, one]);
});

describe("a report node", () => {
  /** Makes a call from an address, as a listener would. */
  async function callFrom(remoteAddress: string | undefined, path: string, id: bigint) {
    const { dispatch, operations } = edgehelm.kernel;
    const token = await edgehelm.token(as.report(id));
    const metadata = { token, requestId: "r", remoteAddress };
    const operation = operations.find(`/ReportNodeService/${path}`)!;
    return await dispatch.call(operation, metadata, () => ({ request: {} }), (response) => response);
  }

  test("can call only from allowed addresses", async () => {
    const id = await reportNode(edgehelm, "fixed", { allowIPs: ["192.0.2.7", "2001:db8::7"] });
    const path = "findCurrentReportNodeConfig";
    for (const address of ["192.0.2.7", "::ffff:192.0.2.7", "2001:DB8:0::7"]) {
      expect(await callFrom(address, path, id)).toBeDefined();
    }
    for (const address of ["192.0.2.8", "2001:db8::8", undefined]) {
      await expect(callFrom(address, path, id)).rejects.toMatchObject({ kind: "forbidden" });
    }
    await expect(edgehelm.call(as.report(id), rpc.updateReportResults, {})).rejects.toMatchObject({ code: 403 });
  });

  test("receives the addresses to measure", async () => {
    const id = await reportNode(edgehelm, "measurer");
    const { ipAddrTasksJSON } = await edgehelm.call(as.report(id), rpc.findReportNodeTasks, {});
    expect(parsed(ipAddrTasksJSON)).toEqual([1, 2, 3].map((addrId) => ({ addrId, ip: `192.0.2.${addrId}`, port: 80 })));
    const { reportNodeJSON } = await edgehelm.call(as.report(id), rpc.findCurrentReportNodeConfig, {});
    expect(parsed(reportNodeJSON)).toEqual({ id: Number(id) });
    await expect(edgehelm.call(as.report(999n), rpc.findReportNodeTasks, {})).rejects.toMatchObject({ code: 404 });
  });

  test("is active while its stream is open", async () => {
    const id = await reportNode(edgehelm, "streamer");
    const { dispatch, operations } = edgehelm.kernel;
    const metadata = { token: await edgehelm.token(as.report(id)), requestId: "r" };
    const { readable, writable } = new TransformStream();
    const operation = operations.find("/ReportNodeService/reportNodeStream")!;
    const responses = dispatch.stream(operation, metadata, readable);
    expect((await responses.next()).value).toMatchObject({ reportNodeId: id, code: "connectedAPINode" });
    await report(id, { os: "linux" });
    expect((await find(id))?.isActive).toBe(true);
    await writable.close();
    expect((await responses.next()).done).toBe(true);
    expect((await find(id))?.isActive).toBe(false);
  });
});

describe("tasks", () => {
  test("are the accessible addresses with their recent measurements", async () => {
    const own = await reportKernel({ count: 25 });
    await using edgehelm = own.edgehelm;
    const results = [[true, 50], [true, 350], [false, 0], [true, 200]] as const;
    for (const [index, [isOk, costMs]] of results.entries()) {
      const id = await reportNode(edgehelm, `r${index}`);
      const result = { type: "ipAddr", targetId: 1n, isOk, costMs };
      await edgehelm.call(as.report(id), rpc.updateReportResults, { reportResults: [result] });
    }
    const list = async (request: object) =>
      (await edgehelm.call(admin, rpc.listReportNodeTasks, request)).ipAddrReportTasks;
    const [first, second] = await list({});
    expect(first).toMatchObject({
      ip: "192.0.2.1",
      port: 80,
      costMs: 200,
      connectivity: 75,
      level: "normal",
      nodeIPAddress: { id: 1n },
    });
    expect(second).toMatchObject({ ip: "192.0.2.2", costMs: 0, connectivity: 100, level: "normal" });
    own.clock.advance(601);
    expect((await list({}))[0]).toMatchObject({ connectivity: 100, costMs: 0 });
    expect((await list({ offset: 20n, role: "node", type: "ipAddr", nodeClusterId: 1n })).length).toBe(5);
    expect(await list({ role: "dns" })).toEqual([]);
    expect(await list({ nodeClusterId: 2n })).toEqual([]);
    expect((await edgehelm.call(admin, rpc.countAllReportNodeTasks, {})).count).toBe(25n);
    expect((await edgehelm.call(admin, rpc.countAllReportNodeTasks, { type: "url" })).count).toBe(0n);
  });
});

test("the global setting has defaults and is validated", async () => {
  const read = async () => parsed((await edgehelm.call(admin, rpc.readReportNodeGlobalSetting, {})).settingJSON);
  const update = (setting: object) =>
    edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) });
  expect(await read()).toEqual({ minNotifyConnectivity: 100, notifyWebHookURL: "" });
  await update({ minNotifyConnectivity: 66.5, notifyWebHookURL: "https://hook.test/x" });
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, {});
  expect(await read()).toEqual({ minNotifyConnectivity: 66.5, notifyWebHookURL: "https://hook.test/x" });
  for (const wrong of [{ minNotifyConnectivity: 101 }, { notifyWebHookURL: "ftp://x" }, { notifyWebHookURL: "x" }]) {
    await expect(update(wrong)).rejects.toMatchObject({ code: 400 });
  }
});

test("findLatestReportNodeVersion returns the version of the latest deploy package and requires a file system", async () => {
  await expect(edgehelm.call(admin, rpc.findLatestReportNodeVersion, {})).rejects.toMatchObject({ code: 503 });
  const packages = ["1.2.0", "1.10.0"].map((version) => ({ os: "linux", arch: "amd64", version, filename: "" }));
  const own = await reportKernel({ machine: { packages: () => Promise.resolve(packages) } });
  await using kernel = own.edgehelm;
  expect((await kernel.call(admin, rpc.findLatestReportNodeVersion, {})).version).toBe("1.10.0");
});
