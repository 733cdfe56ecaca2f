import { as, type TestClock, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { admin, bytes, clusterOf, nodeKernel, parsed, rpc } from "./rig.ts";

let edgehelm: TestKernel;
let clock: TestClock;
let events: string[];
let nsClusterId: bigint;
beforeAll(async () => {
  ({ edgehelm, clock, events } = await nodeKernel());
  nsClusterId = await clusterOf(edgehelm);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(name: string, more = {}): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNSNode, { name, nodeClusterId: nsClusterId, ...more })).nsNodeId;
}

async function find(nsNodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findNSNode, { nsNodeId })).nsNode;
}

const report = (id: bigint, status: object) =>
  edgehelm.call(as.dns(id), rpc.updateNSNodeStatus, { statusJSON: bytes(status) });

const login = (params: object, id = 0n) => ({ id, name: "shell", type: "ssh", params: bytes(params) });

test("a node is created, changed and deleted", async () => {
  const nsNodeId = await create("ns1", { nodeLogin: login({ host: "192.0.2.1", port: 22, grantId: 3 }) });
  const node = (await find(nsNodeId))!;
  expect(node).toMatchObject({
    name: "ns1",
    isOn: true,
    isInstalled: false,
    isActive: false,
    nsCluster: { id: nsClusterId, name: "main" },
    installStatus: { isRunning: false, isFinished: false, isOk: false, errorCode: "" },
  });
  expect(node.uniqueId).toMatch(/^[0-9a-f]{32}$/);
  expect(node.secret).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(parsed(node.nodeLogin!.params)).toEqual({ host: "192.0.2.1", port: 22, grantId: 3 });

  const other = await clusterOf(edgehelm);
  const { id } = node.nodeLogin!;
  const update = { nsNodeId, name: "ns2", nsClusterId: other, isOn: true };
  await edgehelm.call(admin, rpc.updateNSNode, { ...update, nodeLogin: login({ host: "h.test" }, id) });
  expect(await find(nsNodeId)).toMatchObject({ name: "ns2", nsCluster: { id: other }, nodeLogin: { id } });
  await edgehelm.call(admin, rpc.updateNSNode, update);
  expect((await find(nsNodeId))?.nodeLogin).toBeUndefined();
  await edgehelm.call(admin, rpc.updateNSNodeLogin, { nsNodeId, nodeLogin: login({ host: "i.test" }) });
  expect((await find(nsNodeId))?.nodeLogin).toBeDefined();
  await expect(edgehelm.call(admin, NSClusterService.method.deleteNSCluster, { nsClusterId: other }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining('DNS node "ns2"') });

  await edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId });
  expect(await find(nsNodeId)).toBeUndefined();
  expect(events).toContain(`${nsNodeId} deleted`);
  expect(events.filter((line) => line.startsWith(`addresses of dns ${nsNodeId}`))).toEqual([
    `addresses of dns ${nsNodeId} moved to ${other}`,
    `addresses of dns ${nsNodeId} moved to ${other}`,
    `addresses of dns ${nsNodeId} deleted`,
  ]);
  await expect(edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId })).rejects.toMatchObject({ code: 404 });
  await edgehelm.call(admin, NSClusterService.method.deleteNSCluster, { nsClusterId: other });
});

test.each([
  ["name", { name: " " }],
  ["nodeClusterId", { nodeClusterId: 999n }],
  ["nodeLogin.type", { nodeLogin: { type: "telnet" } }],
  ["nodeLogin.id", { nodeLogin: { id: 99n, type: "ssh" } }],
  ["nodeLogin.params.port", { nodeLogin: login({ port: 70000 }) }],
  ["nodeLogin.params.host", { nodeLogin: login({ host: "a b" }) }],
  ["nodeLogin.params.grantId", { nodeLogin: login({ grantId: 99 }) }],
])("createNSNode refuses an invalid %s", async (field, wrong) => {
  await expect(create("bad", wrong)).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(`^${field.replaceAll(".", "\\.")}: `),
  });
});

describe("lists", () => {
  test("can be filtered by cluster, state and name", async () => {
    const own = await clusterOf(edgehelm);
    const ids = [];
    for (const name of ["alpha", "beta", "gamma"]) ids.push(await create(name, { nodeClusterId: own }));
    const [alpha, beta, gamma] = ids as [bigint, bigint, bigint];
    await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId: beta, isInstalled: true });
    await report(beta, { isActive: true });
    const list = async (filter: object) => {
      const { nsNodes } = await edgehelm.call(admin, rpc.listNSNodesMatch, { nsClusterId: own, ...filter });
      const { count } = await edgehelm.call(admin, rpc.countAllNSNodesMatch, { nsClusterId: own, ...filter });
      expect(count).toBe(BigInt(nsNodes.length));
      return nsNodes.map(({ id }) => id);
    };
    expect(await list({})).toEqual([gamma, beta, alpha]);
    expect(await list({ installState: 1 })).toEqual([beta]);
    expect(await list({ installState: 2, keyword: "A" })).toEqual([gamma, alpha]);
    expect(await list({ activeState: 1 })).toEqual([beta]);
    expect(await list({ activeState: 2, keyword: "gam" })).toEqual([gamma]);
    clock.advance(61);
    expect(await list({ activeState: 1 })).toEqual([]);
    const all = await edgehelm.call(admin, rpc.findAllNSNodesWithNSClusterId, { nsClusterId: own });
    expect(all.nsNodes.map(({ id }) => id)).toEqual([gamma, beta, alpha]);
    await expect(list({ activeState: 3 })).rejects.toMatchObject({ code: 400 });
  });
});

test("the status of a node is stored with the server's time and unknown members", async () => {
  const nsNodeId = await create("reporter");
  await report(nsNodeId, { isActive: true, os: "linux", cpuUsage: 0.5, updatedAt: 1, extra: { a: [1] } });
  const node = (await find(nsNodeId))!;
  const updatedAt = Math.floor(clock.now() / 1000);
  expect(parsed(node.statusJSON)).toEqual({ isActive: true, os: "linux", cpuUsage: 0.5, updatedAt, extra: { a: [1] } });
  expect(node).toMatchObject({ isActive: true, isUp: true });
  await expect(report(nsNodeId, { cpuUsage: "much" }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^statusJSON\.cpuUsage: /) });
  await edgehelm.call(as.dns(nsNodeId), rpc.updateNSNodeConnectedAPINodes, { apiNodeIds: [2n, 1n, 2n] });
  expect((await find(nsNodeId))?.connectedAPINodeIds).toEqual([2n, 1n]);
  await expect(report(999n, { isActive: true })).rejects.toMatchObject({ code: 404 });
});

test("watchers are notified once when a node goes offline and once when it is back online", async () => {
  const nsNodeId = await create("silent");
  await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: true });
  await report(nsNodeId, { isActive: true });
  const own = () => events.filter((line) => line.startsWith("silent"));
  await edgehelm.kernel.runJob("ns_node.watch");
  expect(own()).toEqual([]);
  clock.advance(61);
  await edgehelm.kernel.runJob("ns_node.watch");
  await edgehelm.kernel.runJob("ns_node.watch");
  expect(own()).toEqual(["silent went offline"]);
  await report(nsNodeId, { isActive: true });
  await report(nsNodeId, { isActive: true });
  expect(own()).toEqual(["silent went offline", "silent came online"]);
});

test("the settings of a node override those of its cluster if they have priority; a node sees only its own", async () => {
  const nsNodeId = await create("configured");
  const other = await create("other");
  const cluster = { tcp: { isOn: true, maxConnections: 1000 } };
  await edgehelm.call(admin, NSClusterService.method.updateNSClusterDDoSProtection, {
    nsClusterId,
    ddosProtectionJSON: bytes(cluster),
  });
  const update = (tcp: object) =>
    edgehelm.call(admin, rpc.updateNSNodeDDoSProtection, { nsNodeId, ddosProtectionJSON: bytes({ tcp }) });
  const config = async () =>
    parsed((await edgehelm.call(as.dns(nsNodeId), rpc.findCurrentNSNodeConfig, {})).nsNodeJSON) as Record<
      string,
      unknown
    >;
  await update({ isOn: true, maxConnections: 7 });
  const before = await config();
  expect(before).toMatchObject({ id: Number(nsNodeId), clusterId: Number(nsClusterId), ddosProtection: cluster });
  await update({ isOn: true, isPrior: true, maxConnections: 7 });
  const addresses = [{ protocol: "https", host: "api.test", portRange: "443" }];
  await edgehelm.call(admin, rpc.updateNSNodeAPIConfig, { nsNodeId, apiNodeAddrsJSON: bytes(addresses) });
  const after = await config();
  expect(after).toMatchObject({
    nodeId: (await find(nsNodeId))!.uniqueId,
    secret: (await find(nsNodeId))!.secret,
    ddosProtection: { tcp: { maxConnections: 7 } },
    apiNodeAddrs: addresses,
    udp: { isOn: true },
  });
  expect(after.version).toBeGreaterThan(before.version as number);
  await expect(update({ newConnectionsRate: 1 })).rejects.toMatchObject({ code: 400 });
  const wrong = bytes([{ protocol: "https", host: "api.test", portRange: "0" }]);
  await expect(edgehelm.call(admin, rpc.updateNSNodeAPIConfig, { nsNodeId, apiNodeAddrsJSON: wrong }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining("apiNodeAddrsJSON[0].portRange") });

  const findProtection = (caller: typeof admin, id: bigint) =>
    edgehelm.call(caller, rpc.findNSNodeDDoSProtection, { nsNodeId: id });
  const own = (await findProtection(as.dns(nsNodeId), 0n)).ddosProtectionJSON;
  expect(parsed(own)).toMatchObject({ tcp: { maxConnections: 7 } });
  expect((await findProtection(as.dns(other), nsNodeId)).ddosProtectionJSON.length).toBe(0);
  expect((await findProtection(admin, nsNodeId)).ddosProtectionJSON).toEqual(own);
  expect(parsed((await edgehelm.call(as.dns(nsNodeId), rpc.findNSNodeAPIConfig, { nsNodeId })).apiNodeAddrsJSON))
    .toEqual(addresses);
  await edgehelm.call(admin, rpc.updateNSNodeAPIConfig, { nsNodeId });
  expect((await edgehelm.call(admin, rpc.findNSNodeAPIConfig, { nsNodeId })).apiNodeAddrsJSON.length).toBe(0);
});

test("a node logs in with its uniqueId and secret while it exists and is on", async () => {
  const kernel = await nodeKernel(undefined, [], [apiAccessToken]);
  await using edgehelm = kernel.edgehelm;
  const nodeClusterId = await clusterOf(edgehelm);
  const { nsNodeId } = await edgehelm.call(admin, rpc.createNSNode, { name: "n", nodeClusterId });
  const { uniqueId, secret } = (await edgehelm.call(admin, rpc.findNSNode, { nsNodeId })).nsNode!;
  const exchange = (type: string, accessKey: string, accessKeyId = uniqueId) =>
    edgehelm.call(as.anonymous(), APIAccessTokenService.method.getAPIAccessToken, { type, accessKeyId, accessKey });
  const { token } = await exchange("dns", secret);
  const config = async () => {
    const request = new Request("http://edgehelm.test/NSNodeService/findCurrentNSNodeConfig", {
      method: "POST",
      headers: { "x-cloud-access-token": token },
    });
    return (await (await edgehelm.fetch(request)).json()).code;
  };
  expect(await config()).toBe(200);
  await expect(exchange("dns", "wrong")).rejects.toMatchObject({ code: 401 });
  await expect(exchange("admin", secret)).rejects.toMatchObject({ code: 401 });
  await expect(exchange("dns", secret, "0".repeat(32))).rejects.toMatchObject({ code: 401 });
  const update = { nsNodeId, name: "n", nsClusterId: nodeClusterId };
  await edgehelm.call(admin, rpc.updateNSNode, { ...update, isOn: false });
  expect(await config()).toBe(401);
  await expect(exchange("dns", secret)).rejects.toMatchObject({ code: 401 });
  await edgehelm.call(admin, rpc.updateNSNode, { ...update, isOn: true });
  expect(await config()).toBe(200);
  await edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId });
  expect(await config()).toBe(401);
});
