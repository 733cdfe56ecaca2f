import { definePlugin, invalid } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import {
  ClusterPolicyChecks,
  NodeClusterDeletions,
  NodeClusters,
  NodeClusterUses,
} from "../../../plugins/node_cluster/contract.ts";
import plugin from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { NodeGrants } from "../../../plugins/node_grant/contract.ts";

export const rpc = NodeClusterService.method;
export const admin = as.admin();
export const usedBy = new Map<bigint, string[]>();
export const deleted: bigint[] = [];
export let clusters: NodeClusters;

/** Cache policies with ids up to 100 exist; firewall policies are not checked. */
const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["node_cluster.deletions", "node_cluster.policies", "node_cluster.uses"],
  },
  requires: { clusters: NodeClusters },
  setup({ deps, contribute }) {
    clusters = deps.clusters;
    contribute(NodeClusterUses, { referencesTo: async (_call, id, limit) => (usedBy.get(id) ?? []).slice(0, limit) });
    contribute(NodeClusterDeletions, { deleted: async (_call, id) => void deleted.push(id) });
    contribute(ClusterPolicyChecks, {
      kind: "http_cache_policy",
      async requirePolicy(_call, field, id) {
        if (id > 100n) throw invalid(field, `cache policy ${id} does not exist`);
      },
    });
  },
});

const grants = stub(NodeGrants, {
  async requireGrant(_call, field, id) {
    if (id > 100n) throw invalid(field, `grant ${id} does not exist`);
  },
});

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, probe], stubs: [grants] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function json(value: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(value));
}

export async function newCluster(name = "main"): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNodeCluster, { name })).nodeClusterId;
}
