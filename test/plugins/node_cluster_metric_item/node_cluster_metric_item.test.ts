import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import metricItem from "../../../plugins/metric_item/plugin.ts";
import { MetricItemService } from "../../../plugins/metric_item/proto/service_metric_item_pb.ts";
import node from "../../../plugins/node/plugin.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import plugin from "../../../plugins/node_cluster_metric_item/plugin.ts";
import { NodeClusterMetricItemService } from "../../../plugins/node_cluster_metric_item/proto/service_node_cluster_metric_item_pb.ts";

const rpc = NodeClusterMetricItemService.method;
const admin = as.admin();
let clusters: NodeClusters;

const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { clusters: NodeClusters },
  setup({ deps }) {
    clusters = deps.clusters;
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, metricItem, nodeCluster, node, nodeBase, probe] });
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

test("metrics of clusters are enabled and disabled, and only real changes increment the version", async () => {
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

test("the configuration of a node lists the metrics of its clusters and public ones, unless they are off", async () => {
  const [north, other] = [await newCluster("north"), await newCluster("other")];
  const [primary, off, secondary] = [await newItem("primary"), await newItem("off"), await newItem("secondary")];
  const publicItem = await newItem("public", { isPublic: true });
  for (const [nodeClusterId, metricItemId] of [[north, primary], [north, off], [other, secondary]]) {
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
  expect(await counted()).toEqual([primary, publicItem]);
  const inBoth = { ...node, nodeId, isOn: true, secondaryNodeClusterIds: [other] };
  await edgehelm.call(admin, NodeService.method.updateNode, inBoth);
  expect(await counted()).toEqual([primary, secondary, publicItem]);
});

test.each([rpc.enableNodeClusterMetricItem, rpc.disableNodeClusterMetricItem])(
  "$name refuses a cluster or a metric that does not exist",
  async (method) => {
    const pair = { nodeClusterId: await newCluster("south"), metricItemId: await newItem("some") };
    const expectRefused = async (request: object, message: string) =>
      await expect(edgehelm.call(admin, method as typeof rpc.enableNodeClusterMetricItem, { ...pair, ...request }))
        .rejects.toMatchObject({ code: 400, message });
    await expectRefused({ nodeClusterId: 0n }, "nodeClusterId: must be a positive id, got 0");
    await expectRefused({ metricItemId: -1n }, "metricItemId: must be a positive id, got -1");
    await expectRefused({ nodeClusterId: 9999n }, "nodeClusterId: node cluster 9999 does not exist");
    await expectRefused({ metricItemId: 9999n }, "metricItemId: metric 9999 does not exist");
  },
);

test("findAllNodeClusterMetricItems refuses an unknown category", async () => {
  await expect(itemsOf(1n, "dns")).rejects.toMatchObject({ code: 400 });
});
