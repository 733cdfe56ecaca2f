import { definePlugin, invalid, type Plugin } from "edgehelm";
import { stub, type TestKernel, testKernel } from "edgehelm/testing";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { ServerReferenceResolvers } from "../../../plugins/server/contract.ts";
import plugin from "../../../plugins/server/plugin.ts";
import user from "../../../plugins/user/plugin.ts";

/** Starts a kernel with server and user; clusters 1 to 3 exist, and plan 5 belongs to user 1. */
export async function serverKernel(): Promise<{ edgehelm: TestKernel; changed: bigint[][] }> {
  const changed: bigint[][] = [];
  const clusters: Partial<NodeClusters> = {
    summaries: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: `cluster ${id}`, isOn: true }])),
    requireCluster: async (_call, field, id) => {
      if (id > 3n) throw invalid(field, `cluster ${id} does not exist`);
    },
    configChanged: async (_call, ids) => void changed.push([...ids]),
  };
  const plugins = [plugin, user, resolver];
  return { edgehelm: await testKernel({ plugins, stubs: [stub(NodeClusters, clusters)] }), changed };
}

const resolver: Plugin = definePlugin({
  manifest: { name: "resolver", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contribute }) {
    contribute(ServerReferenceResolvers, {
      kind: "user_plan",
      requireFor: async (_call, field, id, userId) => {
        if (id !== 5n || userId !== 1n) throw invalid(field, `plan ${id} does not exist`);
      },
    });
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
