import type { Call, UseCheck } from "edgehelm";
import type { NamedRow, RowList } from "edgehelm/rows";

/** A kind of policy that a cluster can use. */
export type ClusterPolicy = "http_cache_policy" | "http_firewall_policy";

/** The clusters, as users of policies. */
export interface PolicyUsers {
  /** Returns the clusters that use a policy, in ascending order of their ids. */
  usingPolicy(call: Call, kind: ClusterPolicy, policyId: bigint): Promise<readonly NamedRow[]>;
  /** Returns the id of the policy that a cluster uses; 0 when it uses none or does not exist. */
  policyOf(call: Call, kind: ClusterPolicy, clusterId: bigint): Promise<bigint>;
}

/** Reports the clusters that use a policy, which therefore cannot be deleted. */
export function policyUses(clusters: PolicyUsers, kind: ClusterPolicy): UseCheck {
  return {
    async referencesTo(call, policyId, limit) {
      const users = await clusters.usingPolicy(call, kind, policyId);
      return users.slice(0, limit).map(({ name }) => `cluster "${name}"`);
    },
  };
}

/** Returns the configurations of the policies that some clusters use, as a JSON array. */
export async function policyConfigs(
  call: Call,
  { clusters, kind, clusterIds }: { clusters: PolicyUsers; kind: ClusterPolicy; clusterIds: readonly bigint[] },
  config: (call: Call, policyId: bigint) => Promise<Uint8Array | undefined>,
): Promise<string> {
  const ids = new Set<bigint>();
  for (const clusterId of clusterIds) ids.add(await clusters.policyOf(call, kind, clusterId));
  const configs = await Promise.all([...ids].map((id) => config(call, id)));
  return `[${configs.flatMap((bytes) => bytes === undefined ? [] : new TextDecoder().decode(bytes)).join(",")}]`;
}

/** Selects policies for a list; 0 and empty texts match all. */
export interface PolicyFilter {
  readonly keyword: string;
  readonly nodeClusterId: bigint;
}

/**
 * Adds the filter by cluster to a list of policies.
 *
 * @param ofCluster returns the policy that the cluster of the filter uses, whatever its name
 */
export function policyList<Filter extends { readonly keyword: string }, Row extends { readonly name: string }>(
  list: RowList<Filter, Row>,
  ofCluster: (call: Call, filter: Filter & PolicyFilter) => Promise<Row | undefined>,
): RowList<Filter & PolicyFilter, Row> {
  async function matching(call: Call, filter: Filter & PolicyFilter): Promise<Row[]> {
    const row = await ofCluster(call, filter);
    return row?.name.toLowerCase().includes(filter.keyword.toLowerCase()) ? [row] : [];
  }
  return {
    all: (call, filter) => filter.nodeClusterId === 0n ? list.all(call, filter) : matching(call, filter),
    async page(call, filter, page) {
      if (filter.nodeClusterId === 0n) return await list.page(call, filter, page);
      return page.offset > 0n ? [] : await matching(call, filter);
    },
    async count(call, filter) {
      if (filter.nodeClusterId === 0n) return await list.count(call, filter);
      return { count: BigInt((await matching(call, filter)).length) };
    },
  };
}
