import { type Call, containing, type Page } from "edgehelm";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

/** Which policies a request asks for; empty and 0 stand for any. */
interface Wanted {
  readonly keyword: string;
  readonly nodeClusterId: bigint;
}

/** The lists of policies, by whatever filters a request brings. */
export class PolicyLists {
  readonly #policies: PolicyStore;
  readonly #clusters: NodeClusters | undefined;

  constructor(policies: PolicyStore, clusters: NodeClusters | undefined) {
    this.#policies = policies;
    this.#clusters = clusters;
  }

  async page(call: Call, wanted: Wanted, page: Page): Promise<PolicyRow[]> {
    if (wanted.nodeClusterId !== 0n) return page.offset > 0n ? [] : await this.#ofCluster(call, wanted);
    if (wanted.keyword === "") return await this.#policies.page.all(call, page);
    return await this.#policies.pageMatching.scan(call, { ...page, pattern: containing(wanted.keyword) });
  }

  async count(call: Call, wanted: Wanted): Promise<bigint> {
    if (wanted.nodeClusterId !== 0n) return BigInt((await this.#ofCluster(call, wanted)).length);
    if (wanted.keyword === "") return (await this.#policies.count.one(call, {})).count;
    return (await this.#policies.countMatching.scan(call, { pattern: containing(wanted.keyword) }))[0]!.count;
  }

  /** A cluster uses one policy, or none. */
  async #ofCluster(call: Call, { keyword, nodeClusterId }: Wanted): Promise<PolicyRow[]> {
    const id = await this.#clusters?.policyOf(call, "http_firewall_policy", nodeClusterId) ?? 0n;
    const row = await this.#policies.byId.first(call, { id });
    return row?.name.toLowerCase().includes(keyword.toLowerCase()) ? [row] : [];
  }
}
