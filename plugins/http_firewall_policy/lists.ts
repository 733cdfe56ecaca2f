import type { Call, Page } from "edgehelm";
import { containing } from "edgehelm/storage";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

/** The filter of a request; empty and 0 select all policies. */
interface PolicyFilter {
  readonly keyword: string;
  readonly nodeClusterId: bigint;
}

/** Lists and counts policies by the filter of a request. */
export class PolicyLists {
  readonly #policies: PolicyStore;
  readonly #clusters: NodeClusters | undefined;

  constructor(policies: PolicyStore, clusters: NodeClusters | undefined) {
    this.#policies = policies;
    this.#clusters = clusters;
  }

  async page(call: Call, filter: PolicyFilter, page: Page): Promise<PolicyRow[]> {
    if (filter.nodeClusterId !== 0n) return page.offset > 0n ? [] : await this.#ofCluster(call, filter);
    if (filter.keyword === "") return await this.#policies.page.all(call, page);
    return await this.#policies.pageMatching.scan(call, { ...page, pattern: containing(filter.keyword) });
  }

  async count(call: Call, filter: PolicyFilter): Promise<bigint> {
    if (filter.nodeClusterId !== 0n) return BigInt((await this.#ofCluster(call, filter)).length);
    if (filter.keyword === "") return (await this.#policies.count.one(call, {})).count;
    return (await this.#policies.countMatching.scan(call, { pattern: containing(filter.keyword) }))[0]!.count;
  }

  /** Returns the policy that the cluster uses, if it matches. */
  async #ofCluster(call: Call, { keyword, nodeClusterId }: PolicyFilter): Promise<PolicyRow[]> {
    const id = await this.#clusters?.policyOf(call, "http_firewall_policy", nodeClusterId) ?? 0n;
    const row = await this.#policies.byId.first(call, { id });
    return row?.name.toLowerCase().includes(keyword.toLowerCase()) ? [row] : [];
  }
}
