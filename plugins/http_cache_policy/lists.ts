import { type Call, containing, type Page } from "edgehelm";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { typeFilter } from "./rules.ts";
import type { HTTPCachePolicyRow, HTTPCachePolicyStore } from "./store.ts";

/** Which policies a request asks for; empty and 0 stand for any. */
interface Wanted {
  readonly keyword: string;
  readonly nodeClusterId: bigint;
  readonly type: string;
}

/** The lists of policies, by whatever filters a request brings. */
export class PolicyLists {
  readonly #policies: HTTPCachePolicyStore;
  readonly #clusters: NodeClusters | undefined;

  constructor(policies: HTTPCachePolicyStore, clusters: NodeClusters | undefined) {
    this.#policies = policies;
    this.#clusters = clusters;
  }

  async page(call: Call, wanted: Wanted, page: Page): Promise<HTTPCachePolicyRow[]> {
    const type = typeFilter(wanted.type);
    if (wanted.nodeClusterId !== 0n) {
      return page.offset > 0n ? [] : await this.#ofCluster(call, { ...wanted, type });
    }
    const filter = { type, pattern: containing(wanted.keyword), ...page };
    if (wanted.keyword !== "") return await this.#policies.pageMatching.scan(call, filter);
    return await (type === "" ? this.#policies.page : this.#policies.pageOfType).all(call, filter);
  }

  async count(call: Call, wanted: Wanted): Promise<bigint> {
    const type = typeFilter(wanted.type);
    if (wanted.nodeClusterId !== 0n) return BigInt((await this.#ofCluster(call, { ...wanted, type })).length);
    const filter = { type, pattern: containing(wanted.keyword) };
    if (wanted.keyword !== "") return (await this.#policies.countMatching.scan(call, filter))[0]!.count;
    return (await (type === "" ? this.#policies.count : this.#policies.countOfType).one(call, filter)).count;
  }

  /** A cluster uses one policy, or none. */
  async #ofCluster(call: Call, { keyword, nodeClusterId, type }: Wanted): Promise<HTTPCachePolicyRow[]> {
    const id = await this.#clusters?.policyOf(call, "http_cache_policy", nodeClusterId) ?? 0n;
    const row = await this.#policies.byId.first(call, { id });
    if (row === undefined || (type !== "" && row.type !== type)) return [];
    return row.name.toLowerCase().includes(keyword.toLowerCase()) ? [row] : [];
  }
}
