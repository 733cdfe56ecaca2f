import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import metricItem from "../../../plugins/metric_item/plugin.ts";
import { MetricItemService } from "../../../plugins/metric_item/proto/service_metric_item_pb.ts";
import node from "../../../plugins/node/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import plugin from "../../../plugins/node_cluster_metric_item/plugin.ts";
import { NodeClusterMetricItemService } from "../../../plugins/node_cluster_metric_item/proto/service_node_cluster_metric_item_pb.ts";

const rpc = NodeClusterMetricItemService.method;
const admin = as.admin();
let clusters: NodeClusters;

const neighbour = definePlugin({
  manifest: { name: "neighbour", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { clusters: NodeClusters },
  setup({ deps }) {
    clusters = deps.clusters;
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, metricItem, nodeCluster, node, neighbour] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function newCluster(name: string): Promise<bigint> {
  return (await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, { name })).nodeClusterId;
}

const http = { category: "http", keys: ["${host}"], period: 1, periodUnit: "day", value: "${countTrafficOut}" };

async function newItem(name: string, fields: object = {}): Promise<bigint> {
  const request = { ...http, name, ...fields };
  return (await edgehelm.call(admin, MetricItemService.method.createMetricItem, request)).metricItemId;
}

async function version(id: bigint): Promise<bigint> {
  return (await clusters.configVersions(edgehelm.kernel.systemCall("test"), [id])).get(id)!;
}

async function itemsOf(nodeClusterId: bigint, category = ""): Promise<bigint[]> {
  const request = { nodeClusterId, category };
  const { metricItems } = await edgehelm.call(admin, rpc.findAllNodeClusterMetricItems, request);
  return metricItems.map(({ id }) => id);
}

async function clustersOf(metricItemId: bigint): Promise<string[]> {
  const { nodeClusters } = await edgehelm.call(admin, rpc.findAllNodeClustersWithMetricItemId, { metricItemId });
  return nodeClusters.map(({ name }) => name);
}

test("an operator turns metrics of clusters on and off, and nodes are told only of changes", async () => {
  const [east, west] = [await newCluster("east"), await newCluster("west")];
  const [hosts, ports] = [await newItem("hosts"), await newItem("ports", { category: "tcp", keys: ["${remoteAddr}"] })];
  const pair = { nodeClusterId: east, metricItemId: hosts };
  expect((await edgehelm.call(admin, rpc.existsNodeClusterMetricItem, pair)).exists).toBe(false);

  const before = await version(east);
  await edgehelm.call(admin, rpc.enableNodeClusterMetricItem, pair);
  await edgehelm.call(admin, rpc.enableNodeClusterMetricItem, pair);
  expect(await version(east)).toBe(before + 1n);
  await edgehelm.call(admin, rpc.enableNodeClusterMetricItem, { nodeClusterId: east, metricItemId: ports });
  await edgehelm.call(admin, rpc.enableNodeClusterMetricItem, { nodeClusterId: west, metricItemId: hosts });
  expect((await edgehelm.call(admin, rpc.existsNodeClusterMetricItem, pair)).exists).toBe(true);
  expect(await itemsOf(east)).toEqual([ports, hosts]);
  expect(await itemsOf(east, "tcp")).toEqual([ports]);
  expect(await clustersOf(hosts)).toEqual(["west", "east"]);

  const westBefore = await version(west);
  const change = { ...http, metricItemId: hosts, name: "hosts", isOn: true };
  await edgehelm.call(admin, MetricItemService.method.updateMetricItem, change);
  expect(await version(west)).toBe(westBefore + 1n);

  await edgehelm.call(admin, rpc.disableNodeClusterMetricItem, pair);
  const after = await version(east);
  await edgehelm.call(admin, rpc.disableNodeClusterMetricItem, pair);
  expect(await version(east)).toBe(after);
  expect(await clustersOf(hosts)).toEqual(["west"]);

  await expect(edgehelm.call(admin, MetricItemService.method.deleteMetricItem, { metricItemId: hosts }))
    .rejects.toMatchObject({ code: 409, message: `metric ${hosts} is used by node cluster "west"` });
  await edgehelm.call(admin, NodeClusterService.method.deleteNodeCluster, { nodeClusterId: west });
  expect(await clustersOf(hosts)).toEqual([]);
  await edgehelm.call(admin, MetricItemService.method.deleteMetricItem, { metricItemId: hosts });
});

test("nodes are told what their clusters count and what is public, unless it is off", async () => {
  const [north, other] = [await newCluster("north"), await newCluster("other")];
  const [told, off, further] = [await newItem("told"), await newItem("off"), await newItem("further")];
  const everywhere = await newItem("public", { isPublic: true });
  for (const [nodeClusterId, metricItemId] of [[north, told], [north, off], [other, further]]) {
    await edgehelm.call(admin, rpc.enableNodeClusterMetricItem, {
      nodeClusterId: nodeClusterId!,
      metricItemId: metricItemId!,
    });
  }
  await edgehelm.call(admin, MetricItemService.method.updateMetricItem, { ...http, metricItemId: off, name: "off" });
  const node = { name: "n1", nodeClusterId: north };
  const { nodeId } = await edgehelm.call(admin, NodeService.method.createNode, node);
  const counted = async () => {
    const { nodeJSON } = await edgehelm.call(as.node(nodeId), NodeService.method.findCurrentNodeConfig, {});
    const { metricItems } = JSON.parse(new TextDecoder().decode(nodeJSON));
    return metricItems.map(({ id }: { id: number }) => BigInt(id));
  };
  expect(await counted()).toEqual([told, everywhere]);
  const both = { ...node, nodeId, isOn: true, secondaryNodeClusterIds: [other] };
  await edgehelm.call(admin, NodeService.method.updateNode, both);
  expect(await counted()).toEqual([told, further, everywhere]);
});

test.each([rpc.enableNodeClusterMetricItem, rpc.disableNodeClusterMetricItem])(
  "$name refuses what does not exist",
  async (method) => {
    const pair = { nodeClusterId: await newCluster("south"), metricItemId: await newItem("some") };
    const refused = async (request: object, message: string) =>
      await expect(edgehelm.call(admin, method as typeof rpc.enableNodeClusterMetricItem, { ...pair, ...request }))
        .rejects.toMatchObject({ code: 400, message });
    await refused({ nodeClusterId: 0n }, "nodeClusterId: must be a positive id, got 0");
    await refused({ metricItemId: -1n }, "metricItemId: must be a positive id, got -1");
    await refused({ nodeClusterId: 9999n }, "nodeClusterId: node cluster 9999 does not exist");
    await refused({ metricItemId: 9999n }, "metricItemId: metric 9999 does not exist");
  },
);

test("findAllNodeClusterMetricItems refuses an unknown category", async () => {
  await expect(itemsOf(1n, "dns")).rejects.toMatchObject({ code: 400 });
});
