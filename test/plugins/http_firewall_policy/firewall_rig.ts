import { definePlugin, invalid } from "edgehelm";
import { stub, type TestKernel, testKernel } from "edgehelm/testing";
import policies from "../../../plugins/http_firewall_policy/plugin.ts";
import groups from "../../../plugins/http_firewall_rule_group/plugin.ts";
import sets from "../../../plugins/http_firewall_rule_set/plugin.ts";
import { type NodeConfigPart, NodeConfigParts } from "../../../plugins/node/contract.ts";
import { type ClusterPolicyCheck, ClusterPolicyChecks, NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { Servers } from "../../../plugins/server/contract.ts";

/** The firewall plugins, with stubs of clusters and servers whose policies tests can set. */
export interface FirewallRig {
  readonly edgehelm: TestKernel;
  /** The policy that each cluster uses. */
  readonly policyOfCluster: Map<bigint, bigint>;
  readonly changedClusters: bigint[];
  readonly changedServers: bigint[];
  /** The contributions of the firewall to clusters and nodes. */
  readonly policyChecks: readonly ClusterPolicyCheck[];
  readonly parts: readonly NodeConfigPart[];
}

/** Opens the rig. Server 5 is the only one that exists; it belongs to user 7. */
export async function firewallRig(): Promise<FirewallRig> {
  const policyOfCluster = new Map<bigint, bigint>();
  const changedClusters: bigint[] = [];
  const changedServers: bigint[] = [];
  const clusters = stub(NodeClusters, {
    usingPolicy: async (_call, kind, policyId) =>
      kind === "http_firewall_policy"
        ? [...policyOfCluster].filter(([, id]) => id === policyId).map(([id]) => ({
          id,
          name: `cluster ${id}`,
          isOn: true,
        }))
        : [],
    policyOf: async (_call, _kind, clusterId) => policyOfCluster.get(clusterId) ?? 0n,
    configChanged: async (_call, ids) => void changedClusters.push(...ids),
  });
  const servers = stub(Servers, {
    requireFeature: async () => {},
    requireOwned: async (_call, id) => {
      if (id !== 5n) throw invalid("serverId", `server ${id} does not exist`);
    },
    summaries: async (_call, ids) =>
      new Map(
        ids.filter((id) => id === 5n).map((
          id,
        ) => [id, { id, name: "site", userId: 7n, nodeClusterId: 1n, userPlanId: 0n }]),
      ),
    configChanged: async (_call, ids) => void changedServers.push(...ids),
  });
  let policyChecks: readonly ClusterPolicyCheck[] = [];
  let parts: readonly NodeConfigPart[] = [];
  const probe = definePlugin({
    manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
    setup({ contributions }) {
      policyChecks = contributions(ClusterPolicyChecks);
      parts = contributions(NodeConfigParts);
    },
  });
  const edgehelm = await testKernel({ plugins: [policies, groups, sets, probe], stubs: [clusters, servers] });
  return { edgehelm, policyOfCluster, changedClusters, changedServers, policyChecks, parts };
}

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

// deno-lint-ignore no-explicit-any -- each JSON field has its own shape
export function json(bytes: Uint8Array): any {
  return bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}
