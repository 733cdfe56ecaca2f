import type { Call, Page } from "edgehelm";
import { containing } from "edgehelm/storage";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { typeFilter } from "./rules.ts";
import type { HTTPCachePolicyRow, HTTPCachePolicyStore } from "./store.ts";

/** The filter of a request; empty and 0 select all policies. */
interface PolicyFilter {
  readonly keyword: string;
  readonly nodeClusterId: bigint;
  readonly type: string;
}

/** Lists and counts policies by the filter of a request. */
export class PolicyLists {
  readonly #policies: HTTPCachePolicyStore;
  readonly #clusters: NodeClusters | undefined;

  constructor(policies: HTTPCachePolicyStore, clusters: NodeClusters | undefined) {
    this.#policies = policies;
    this.#clusters = clusters;
  }

  async page(call: Call, filter: PolicyFilter, page: Page): Promise<HTTPCachePolicyRow[]> {
    const type = typeFilter(filter.type);
    if (filter.nodeClusterId !== 0n) {
      return page.offset > 0n ? [] : await this.#ofCluster(call, { ...filter, type });
    }
    const parameters = { type, pattern: containing(filter.keyword), ...page };
    if (filter.keyword !== "") return await this.#policies.pageMatching.scan(call, parameters);
    return await (type === "" ? this.#policies.page : this.#policies.pageOfType).all(call, parameters);
  }

  async count(call: Call, filter: PolicyFilter): Promise<bigint> {
    const type = typeFilter(filter.type);
    if (filter.nodeClusterId !== 0n) return BigInt((await this.#ofCluster(call, { ...filter, type })).length);
    const parameters = { type, pattern: containing(filter.keyword) };
    if (filter.keyword !== "") return (await this.#policies.countMatching.scan(call, parameters))[0]!.count;
    return (await (type === "" ? this.#policies.count : this.#policies.countOfType).one(call, parameters)).count;
  }

  /** Returns the policy that the cluster uses, if it matches. */
  async #ofCluster(call: Call, { keyword, nodeClusterId, type }: PolicyFilter): Promise<HTTPCachePolicyRow[]> {
    const id = await this.#clusters?.policyOf(call, "http_cache_policy", nodeClusterId) ?? 0n;
    const row = await this.#policies.byId.first(call, { id });
    if (row === undefined || (type !== "" && row.type !== type)) return [];
    return row.name.toLowerCase().includes(keyword.toLowerCase()) ? [row] : [];
  }
}
