import { definePlugin, invalid, type Plugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { ServerReferenceResolvers } from "../../../plugins/server/contract.ts";
import plugin from "../../../plugins/server/plugin.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

export const service = ServerService.method;
export const admin = as.admin();

/** Starts a kernel with server and user; clusters 1 to 3 exist; plans 5 and 6, for cluster 2, belong to user 1. */
export async function serverKernel(): Promise<{ edgehelm: TestKernel; changed: bigint[][] }> {
  const changed: bigint[][] = [];
  const clusters: Partial<NodeClusters> = {
    summaries: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: `cluster ${id}`, isOn: true }])),
    nested: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: `cluster ${id}`, isOn: true }])),
    isOpenToCaller: async () => true,
    requireCluster: async (_call, field, id) => {
      if (id > 3n) throw invalid(field, `cluster ${id} does not exist`);
    },
    configChanged: async (_call, ids) => void changed.push([...ids]),
  };
  const plugins = [plugin, user, resolver];
  return { edgehelm: await testKernel({ plugins, stubs: [stub(NodeClusters, clusters)] }), changed };
}

const resolver: Plugin = definePlugin({
  manifest: {
    name: "resolver",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["server.references"],
  },
  setup({ contribute }) {
    contribute(ServerReferenceResolvers, {
      kind: "user_plan",
      requireFor: async (_call, field, id, userId) => {
        if (id !== 5n && id !== 6n || userId !== 1n) throw invalid(field, `plan ${id} does not exist`);
      },
      clusterOf: async (_call, id) => id === 6n ? 2n : 0n,
    });
    contribute(ServerReferenceResolvers, { kind: "reverse_proxy", requireFor: async () => {} });
  },
});

/** Encodes a value for a bytes field. */
export function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Decodes the value of a bytes field. */
export function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

export let edgehelm: TestKernel;
export let changed: bigint[][];

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    ({ edgehelm, changed } = await serverKernel());
    for (const username of ["first", "second", "third"]) {
      await edgehelm.call(admin, UserService.method.createUser, { username, password: "a long enough password" });
    }
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function create(request: object = {}): Promise<bigint> {
  const completeRequest = { type: "httpProxy", name: "site", nodeClusterId: 1n, ...request };
  return (await edgehelm.call(admin, service.createServer, completeRequest)).serverId;
}

export async function find(serverId: bigint) {
  return (await edgehelm.call(admin, service.findEnabledServer, { serverId })).server;
}
