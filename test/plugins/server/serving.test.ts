import { type Call, definePlugin, type Handlers, type Plugin } from "edgehelm";
import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import nodePlugin from "../../../plugins/node/plugin.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import nodeLog from "../../../plugins/node_log/plugin.json" with { type: "json" };
import { type CreateNodeLogsRequest, NodeLogService } from "../../../plugins/node_log/proto/service_node_log_pb.ts";
import { type ServedServer, Servers, wasServed } from "../../../plugins/server/contract.ts";
import plugin from "../../../plugins/server/plugin.ts";
import { json, service } from "./rig.ts";

const admin = as.admin();
/** 2025-03-10 12:00 in UTC. */
const NOON = 1741608000n;
const clock = new TestClock(Number(NOON) * 1000);

/** The sites that the last caller serves. */
let found: ReadonlyMap<bigint, ServedServer>;
/** Asks the contract with the call of an operation that nodes of every role may call. */
const probe: Plugin = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: ["NodeLogService"],
    tables: [],
    modules: nodeLog.modules,
  },
  requires: { servers: Servers },
  setup({ deps, serve }) {
    const ask = async ({ nodeLogs }: CreateNodeLogsRequest, call: Call) => {
      found = await deps.servers.servedByCaller(call, nodeLogs.map(({ serverId }) => serverId));
      return {};
    };
    const handlers = Object.fromEntries(NodeLogService.methods.map(({ localName }) => [localName, ask]));
    serve(NodeLogService, handlers as unknown as Handlers<typeof NodeLogService>);
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, nodePlugin, nodeBase, nodeCluster, probe], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function newCluster(): Promise<bigint> {
  return (await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, { name: "main" })).nodeClusterId;
}

async function newNode(nodeClusterId: bigint, secondaryNodeClusterIds: bigint[] = []): Promise<TestCaller> {
  const { nodeId } = await edgehelm.call(admin, NodeService.method.createNode, { name: "node", nodeClusterId });
  if (secondaryNodeClusterIds.length > 0) {
    const update = { nodeId, name: "node", nodeClusterId, secondaryNodeClusterIds, isOn: true };
    await edgehelm.call(admin, NodeService.method.updateNode, update);
  }
  return as.node(nodeId);
}

async function newSite(nodeClusterId: bigint, request: object = {}): Promise<bigint> {
  const site = { type: "httpProxy", name: "site", nodeClusterId, ...request };
  return (await edgehelm.call(admin, service.createServer, site)).serverId;
}

async function moveSite(serverId: bigint, nodeClusterId: bigint): Promise<void> {
  await edgehelm.call(admin, service.updateServerBasic, { serverId, name: "site", isOn: true, nodeClusterId });
}

/** Returns the sites that a caller serves, each with the time until which it did. */
async function served(caller: TestCaller, ...ids: bigint[]): Promise<[bigint, bigint | undefined][]> {
  const nodeLogs = ids.map((serverId) => ({ serverId }));
  await edgehelm.call(caller, NodeLogService.method.createNodeLogs, { nodeLogs });
  return [...found].map(([id, { servedUntil }]) => [id, servedUntil]);
}

test("a node serves the sites of its clusters and those that include it, and not those that exclude it", async () => {
  const [east, west] = [await newCluster(), await newCluster()];
  const [inEast, inBoth] = [await newNode(east), await newNode(west, [east])];
  const lists = (nodeId: bigint) => json([{ nodeId: Number(nodeId) }]);
  const site = await newSite(east);
  const excluding = await newSite(east, { excludeNodesJSON: lists(inEast.id) });
  const including = await newSite(west, { includeNodesJSON: lists(inEast.id) });
  const off = await newSite(east);
  await edgehelm.call(admin, service.updateServerIsOn, { serverId: off, isOn: false });
  const other = await newSite(west);
  const all = [site, excluding, including, off, other];
  const none = undefined;
  expect(await served(inEast, ...all, 999n)).toEqual([[site, none], [including, none], [off, none]]);
  expect(await served(inBoth, ...all, 999n)).toEqual(all.map((id) => [id, none]));
  expect(await served(admin, ...all, 999n)).toEqual(all.map((id) => [id, none]));
  for (const caller of [as.dns(inEast.id), as.report(inEast.id)]) {
    expect(await served(caller, ...all)).toEqual([]);
  }
  await edgehelm.call(admin, NodeService.method.deleteNode, { nodeId: inBoth.id });
  expect(await served(inBoth, ...all)).toEqual([]);
});

test("a node may report about a site that moved away until ten minutes after that, for 90 days", async () => {
  const [old, next] = [await newCluster(), await newCluster()];
  const [before, after] = [await newNode(old), await newNode(next)];
  const site = await newSite(old);
  expect(await served(after, site)).toEqual([]);
  await moveSite(site, next);
  const leftAt = BigInt(clock.now() / 1000);
  expect(await served(before, site)).toEqual([[site, leftAt + 600n]]);
  expect(await served(after, site)).toEqual([[site, undefined]]);
  expect(await served(await newNode(await newCluster()), site)).toEqual([]);
  // moved back and away again
  await moveSite(site, old);
  expect(await served(before, site)).toEqual([[site, undefined]]);
  clock.advance(3600);
  await moveSite(site, next);
  expect(await served(before, site)).toEqual([[site, leftAt + 4200n]]);
  clock.advance(91 * 86_400);
  const another = await newSite(old);
  await moveSite(another, next);
  expect(await served(before, site, another)).toEqual([[another, leftAt + 3600n + 91n * 86_400n + 600n]]);
});

test("a node that a site excludes may not report about it after the site moved", async () => {
  const [old, next] = [await newCluster(), await newCluster()];
  const node = await newNode(old);
  const site = await newSite(old, { excludeNodesJSON: json([{ nodeId: Number(node.id) }]) });
  await moveSite(site, next);
  expect(await served(node, site)).toEqual([]);
});

test("a site was served at a time until its caller stopped to serve it", () => {
  const server = { id: 1n, name: "", userId: 0n, nodeClusterId: 1n, userPlanId: 0n };
  expect(wasServed(undefined, 5)).toBe(false);
  expect(wasServed({ ...server, servedUntil: undefined }, 5)).toBe(true);
  expect([4n, 5, 6n, 6].map((at) => wasServed({ ...server, servedUntil: 5n }, at))).toEqual([true, true, false, false]);
});
