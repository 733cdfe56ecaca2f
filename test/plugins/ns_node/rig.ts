import { definePlugin, invalid, type Plugin } from "edgehelm";
import { as, type Stub, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import type { NodeMessage } from "../../../plugins/node_base/contract.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeGrants } from "../../../plugins/node_grant/contract.ts";
import { NodeIPAddresses } from "../../../plugins/node_ip_address/contract.ts";
import clusters from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSNodeWatchers } from "../../../plugins/ns_node/contract.ts";
import plugin from "../../../plugins/ns_node/plugin.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";

export const rpc = NSNodeService.method;
export const admin = as.admin();

/** Starts a kernel with ns_node and ns_cluster, in which the grants 1 to 9 exist. `events` collects notifications. */
export async function nodeKernel(
  stubs: readonly Stub[] = [],
  plugins: readonly Plugin[] = [],
  taskPollMilliseconds = 5,
) {
  const clock = new TestClock();
  const events: string[] = [];
  const watcher = definePlugin({
    manifest: {
      name: "watcher",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["ns_node.watchers"],
    },
    setup: ({ contribute }) =>
      contribute(NSNodeWatchers, {
        wentOffline: async (_call, { name }) => void events.push(`${name} went offline`),
        cameOnline: async (_call, { name }) => void events.push(`${name} came online`),
        deleted: async (_call, id) => void events.push(`${id} deleted`),
      }),
  });
  const grants = stub(NodeGrants, {
    requireGrant: async (_call, field, id) => {
      if (id > 9n) throw invalid(field, `grant ${id} does not exist`);
    },
  });
  const addresses = stub(NodeIPAddresses, {
    nodeChanged: async (_call, role, id, { nodeClusterId }) =>
      void events.push(`addresses of ${role} ${id} moved to ${nodeClusterId}`),
    nodeDeleted: async (_call, role, id) => void events.push(`addresses of ${role} ${id} deleted`),
  });
  const edgehelm = await testKernel({
    plugins: [plugin, nodeBase, clusters, watcher, ...plugins],
    stubs: [grants, addresses, ...stubs],
    clock,
    config: { ns_node: { taskPollMilliseconds } },
  });
  return { edgehelm, clock, events };
}

export async function clusterOf(edgehelm: TestKernel): Promise<bigint> {
  const request = { name: "main", hosts: ["ns1.edge.test"], email: "dns@edge.test" };
  return (await edgehelm.call(admin, NSClusterService.method.createNSCluster, request)).nsClusterId;
}

export function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function parsed(json: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(json));
}

/** Opens the node's end of a stream, to send and receive messages and to abort the stream. */
export function openStream(edgehelm: TestKernel, token: string | undefined) {
  const requests = new TransformStream<FromNode, FromNode>({}, { highWaterMark: 16 });
  const writer = requests.writable.getWriter();
  const { dispatch, operations } = edgehelm.kernel;
  let cancel = () => {};
  const metadata = {
    token,
    requestId: "stream",
    onScope: (scope: { cancel(): void }) => cancel = () => scope.cancel(),
  };
  const operation = operations.find("/NSNodeService/nsNodeStream")!;
  const responses = dispatch.stream(operation, metadata, requests.readable) as AsyncGenerator<
    NodeMessage & { nsNodeId: bigint }
  >;
  return {
    next: async () => (await responses.next()).value as (NodeMessage & { nsNodeId: bigint }) | undefined,
    send: (message: FromNode) => writer.write(message),
    finish: () => writer.close(),
    abort: () => {
      cancel();
      responses.return(undefined).catch(() => undefined);
    },
  };
}

type FromNode = Partial<NodeMessage & { nsNodeId: bigint }>;

export let edgehelm: TestKernel;
export let clock: TestClock;
export let events: string[];
export let nsClusterId: bigint;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    ({ edgehelm, clock, events } = await nodeKernel());
    nsClusterId = await clusterOf(edgehelm);
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function create(name: string, more = {}): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNSNode, { name, nodeClusterId: nsClusterId, ...more })).nsNodeId;
}

export async function find(nsNodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findNSNode, { nsNodeId })).nsNode;
}

export const report = (id: bigint, status: object) =>
  edgehelm.call(as.dns(id), rpc.updateNSNodeStatus, { statusJSON: bytes(status) });
