import { definePlugin, invalid, type Plugin } from "edgehelm";
import { stub, type TestKernel, testKernel } from "edgehelm/testing";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { ServerReferenceKeepers } from "../../../plugins/server/contract.ts";
import plugin from "../../../plugins/server/plugin.ts";
import user from "../../../plugins/user/plugin.ts";

/** server beside user; clusters 1 to 3 exist, and plan 5 is user 1's. */
export async function serverKernel(): Promise<{ edgehelm: TestKernel; changed: bigint[][] }> {
  const changed: bigint[][] = [];
  const clusters: Partial<NodeClusters> = {
    summaries: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: `cluster ${id}`, isOn: true }])),
    requireCluster: async (_call, field, id) => {
      if (id > 3n) throw invalid(field, `cluster ${id} does not exist`);
    },
    configChanged: async (_call, ids) => void changed.push([...ids]),
  };
  const plugins = [plugin, user, keeper];
  return { edgehelm: await testKernel({ plugins, stubs: [stub(NodeClusters, clusters)] }), changed };
}

const keeper: Plugin = definePlugin({
  manifest: { name: "keeper", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contribute }) {
    contribute(ServerReferenceKeepers, {
      kind: "user_plan",
      requireFor: async (_call, field, id, userId) => {
        if (id !== 5n || userId !== 1n) throw invalid(field, `plan ${id} does not exist`);
      },
    });
  },
});

/** What a bytes field gets, from a value. */
export function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The value of a bytes field. */
export function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
