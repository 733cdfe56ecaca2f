import { type Call, definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import plugin from "../../../plugins/http_cache_policy/plugin.ts";
import { HTTPCachePolicyService } from "../../../plugins/http_cache_policy/proto/service_http_cache_policy_pb.ts";
import { type NodeConfigPart, NodeConfigParts } from "../../../plugins/node/contract.ts";
import { type ClusterPolicyCheck, ClusterPolicyChecks, NodeClusters } from "../../../plugins/node_cluster/contract.ts";

export const rpc = HTTPCachePolicyService.method;
export const admin = as.admin();
export const PATH = "/HTTPCachePolicyService/";

/** The policy that each cluster uses. */
export const policyOfCluster = new Map<bigint, bigint>();
export const changedClusters: bigint[] = [];
export const clusters = stub(NodeClusters, {
  usingPolicy: async (_call: Call, kind, policyId) =>
    kind === "http_cache_policy"
      ? [...policyOfCluster].filter(([, id]) => id === policyId).map(([id]) => ({
        id,
        name: `cluster ${id}`,
        isOn: true,
      }))
      : [],
  policyOf: async (_call, _kind, clusterId) => policyOfCluster.get(clusterId) ?? 0n,
  configChanged: async (_call, ids) => void changedClusters.push(...ids),
});

export let parts: readonly NodeConfigPart[] = [];
export let policyChecks: readonly ClusterPolicyCheck[] = [];
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contributions }) {
    parts = contributions(NodeConfigParts);
    policyChecks = contributions(ClusterPolicyChecks);
  },
});

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, probe], stubs: [clusters] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function json(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

export async function create(name: string, overrides: object = {}): Promise<bigint> {
  const request = { name, isOn: true, type: "memory", ...overrides };
  return (await edgehelm.call(admin, rpc.createHTTPCachePolicy, request)).httpCachePolicyId;
}

export async function configOf(httpCachePolicyId: bigint) {
  const { httpCachePolicyJSON } = await edgehelm.call(admin, rpc.findEnabledHTTPCachePolicyConfig, {
    httpCachePolicyId,
  });
  return json(httpCachePolicyJSON);
}
