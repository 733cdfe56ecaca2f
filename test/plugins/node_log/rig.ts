import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { definePlugin } from "edgehelm";
import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeEach } from "vitest";
import node from "../../../plugins/node/plugin.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { NodeLogClusters, NodeLogs, NodeLogSubjects } from "../../../plugins/node_log/contract.ts";
import plugin from "../../../plugins/node_log/plugin.ts";
import {
  type ListNodeLogsRequestSchema,
  type NodeLogSchema,
  NodeLogService,
} from "../../../plugins/node_log/proto/service_node_log_pb.ts";

export const rpc = NodeLogService.method;
export const admin = as.admin();
export const START = 1_800_000_000;
export let clock: TestClock;
export let logs: NodeLogs;

/** The DNS nodes 1 to 3 are in the DNS cluster 8. */
const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["node_log.clusters", "node_log.subjects"],
  },
  requires: { logs: NodeLogs },
  setup({ deps, contribute }) {
    logs = deps.logs;
    for (const field of ["serverId", "originId"] as const) {
      contribute(NodeLogSubjects, {
        field,
        ofCaller: async (_call, ids) =>
          new Map(ids.filter((id) => id < FOREIGN).map((id) => [id, id === LEFT.id ? LEFT.servedUntil : undefined])),
      });
    }
    contribute(NodeLogClusters, { role: "dns", nodesOf: async (_call, id) => id === 8n ? [1n, 2n, 3n] : [] });
  },
});

/** The lowest id of a site or an origin that no node serves. */
export const FOREIGN = 900n;
/** A site that left the cluster of its nodes. */
export const LEFT = { id: 800n, servedUntil: BigInt(START) - 100n };
export let edgehelm: TestKernel;
// Counts include all logs of an installation, so every test has its own.
beforeEach(async () => {
  clock = new TestClock(START * 1000);
  await edgehelm?.[Symbol.asyncDispose]();
  edgehelm = await openLogs();
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Opens an installation with a configuration of the plugin. */
export function openLogs(config: JsonObject = {}): Promise<TestKernel> {
  return testKernel({ plugins: [plugin, node, nodeBase, nodeCluster, probe], clock, config: { node_log: config } });
}

export type NewLog = MessageInitShape<typeof NodeLogSchema>;

export function params(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export async function write(caller: TestCaller, ...nodeLogs: NewLog[]): Promise<void> {
  const complete = nodeLogs.map((log) => ({ level: "error", tag: "T", ...log }));
  await edgehelm.call(caller, rpc.createNodeLogs, { nodeLogs: complete });
}

export async function list(request: MessageInitShape<typeof ListNodeLogsRequestSchema> = {}) {
  return (await edgehelm.call(admin, rpc.listNodeLogs, request)).nodeLogs;
}

/** Returns the descriptions of the logs that a request finds, and checks that the count agrees. */
export async function descriptions(
  request: MessageInitShape<typeof ListNodeLogsRequestSchema> = {},
): Promise<string[]> {
  const found = (await list(request)).map(({ description }) => description);
  const { offset: _offset, size: _size, ...filter } = request as { offset?: bigint; size?: bigint };
  const { count } = await edgehelm.call(admin, rpc.countNodeLogs, filter);
  if (!("size" in request)) expectCount(count, found.length);
  return found;
}

function expectCount(count: bigint, length: number): void {
  if (count !== BigInt(length)) throw new Error(`countNodeLogs returns ${count}, listNodeLogs returns ${length} logs`);
}

export async function unread(): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.countAllUnreadNodeLogs, {})).count;
}

export async function newCluster(name = "main"): Promise<bigint> {
  return (await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, { name })).nodeClusterId;
}

export async function newNode(nodeClusterId: bigint): Promise<bigint> {
  return (await edgehelm.call(admin, NodeService.method.createNode, { name: "node", nodeClusterId })).nodeId;
}

export async function deleteNode(nodeId: bigint): Promise<void> {
  await edgehelm.call(admin, NodeService.method.deleteNode, { nodeId });
}

/** Returns true if the maintained counts agree with the rows. */
export async function countsMatchRows(): Promise<boolean> {
  const rows = await list({ size: 1000n });
  const { count } = await edgehelm.call(admin, rpc.countNodeLogs, {});
  return count === BigInt(rows.length) && await unread() === BigInt(rows.filter(({ isRead }) => !isRead).length);
}
