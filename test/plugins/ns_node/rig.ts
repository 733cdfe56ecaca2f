import { definePlugin, invalid, type NodeMessage, type Plugin } from "edgehelm";
import { as, type Stub, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import clusters from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NodeIPAddresses } from "../../../plugins/node_ip_address/contract.ts";
import { NodeGrants } from "../../../plugins/node_grant/contract.ts";
import { NSNodeWatchers } from "../../../plugins/ns_node/contract.ts";
import type { Machine } from "../../../plugins/ns_node/machine.ts";
import plugin from "../../../plugins/ns_node/plugin.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";

export const rpc = NSNodeService.method;
export const admin = as.admin();

/** ns_node with ns_cluster; grants 1 to 9 exist. `told` collects what watchers hear. */
export async function nodeKernel(machine?: Machine, stubs: readonly Stub[] = [], plugins: readonly Plugin[] = []) {
  const clock = new TestClock();
  const told: string[] = [];
  const watcher = definePlugin({
    manifest: { name: "watcher", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    setup: ({ contribute }) =>
      contribute(NSNodeWatchers, {
        wentOffline: async (_call, { name }) => void told.push(`${name} went offline`),
        cameOnline: async (_call, { name }) => void told.push(`${name} came online`),
        deleted: async (_call, id) => void told.push(`${id} deleted`),
      }),
  });
  const grants = stub(NodeGrants, {
    requireGrant: async (_call, field, id) => {
      if (id > 9n) throw invalid(field, `grant ${id} does not exist`);
    },
  });
  const addresses = stub(NodeIPAddresses, {
    nodeChanged: async (_call, role, id, { nodeClusterId }) =>
      void told.push(`addresses of ${role} ${id} follow to ${nodeClusterId}`),
    nodeDeleted: async (_call, role, id) => void told.push(`addresses of ${role} ${id} go`),
  });
  const edgehelm = await testKernel({
    plugins: [plugin, clusters, watcher, ...plugins],
    stubs: [grants, addresses, ...stubs],
    clock,
    config: { ns_node: { taskPollMilliseconds: 5 } },
    ...(machine && { hosts: { ns_node: machine } }),
  });
  return { edgehelm, clock, told };
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

/** A node's end of a stream: what it sends, what it gets, and a way to break off. */
export function openStream(edgehelm: TestKernel, token: string | undefined) {
  const requests = new TransformStream<FromNode, FromNode>({}, { highWaterMark: 16 });
  const writer = requests.writable.getWriter();
  const { dispatch, operations } = edgehelm.kernel;
  let cancel = () => {};
  const arrival = { token, requestId: "stream", onScope: (scope: { cancel(): void }) => cancel = () => scope.cancel() };
  const operation = operations.find("/NSNodeService/nsNodeStream")!;
  const answers = dispatch.stream(operation, arrival, requests.readable) as AsyncGenerator<
    NodeMessage & { nsNodeId: bigint }
  >;
  return {
    next: async () => (await answers.next()).value as (NodeMessage & { nsNodeId: bigint }) | undefined,
    send: (message: FromNode) => writer.write(message),
    finish: () => writer.close(),
    breakOff: () => {
      cancel();
      answers.return(undefined).catch(() => undefined);
    },
  };
}

type FromNode = Partial<NodeMessage & { nsNodeId: bigint }>;
