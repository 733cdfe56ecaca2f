import { type Call, distinct } from "edgehelm";
import type { Referrer } from "edgehelm/rows";
import type { ServerSummary, ServerTransferListener } from "../server/contract.ts";
import { groupIdsOf } from "./groups.ts";
import type { PolicyDeps } from "./policies.ts";
import type { PolicyStore } from "./store.ts";

/** The owners of policies: the owner of its server, if a policy belongs to one, and otherwise the installation. */
export class PolicyOwners implements Referrer, ServerTransferListener {
  readonly #store: PolicyStore;
  readonly #deps: PolicyDeps;

  constructor(store: PolicyStore, deps: PolicyDeps) {
    this.#store = store;
    this.#deps = deps;
  }

  async ownerOf(call: Call, { serverId }: { readonly serverId: bigint }): Promise<bigint> {
    return (await this.#ownersOf(call, [serverId])).get(serverId) ?? 0n;
  }

  async referredFor(call: Call, groupIds: readonly bigint[], userId: bigint): Promise<readonly bigint[]> {
    const links = await this.#store.groupLinks.all(call, { groupIds });
    const owners = await this.#ownersOf(call, links.map(({ serverId }) => serverId));
    const policyIds = await this.#policiesOfClustersOf(call, userId, links.map(({ policyId }) => policyId));
    return links.filter(({ policyId, serverId }) => policyIds.has(policyId) || owners.get(serverId) === userId)
      .map(({ groupId }) => groupId);
  }

  async referredByOthers(call: Call, groupIds: readonly bigint[], userId: bigint): Promise<readonly bigint[]> {
    const links = await this.#store.groupLinks.all(call, { groupIds });
    const owners = await this.#ownersOf(call, links.map(({ serverId }) => serverId));
    return links.filter(({ serverId }) => (owners.get(serverId) ?? 0n) !== userId).map(({ groupId }) => groupId);
  }

  async transferred(call: Call, server: ServerSummary, previousUserId: bigint): Promise<void> {
    for (const row of await this.#store.ofServer.all(call, { serverId: server.id })) {
      const references = groupIdsOf(row).map((id) => ({ field: "serverId", id }));
      await this.#deps.groups.take(call, references, { userId: server.userId, previousUserId });
    }
  }

  async #ownersOf(call: Call, serverIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>> {
    const ids = distinct(serverIds.filter((id) => id !== 0n));
    const servers = ids.length === 0 ? undefined : await this.#deps.servers?.summaries(call, ids);
    return new Map([...servers ?? []].map(([id, { userId }]) => [id, userId]));
  }

  /** Returns the policies that clusters use which serve sites of the user. */
  async #policiesOfClustersOf(call: Call, userId: bigint, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
    const { clusters, servers } = this.#deps;
    const clusterIds = new Set(ids.length === 0 ? [] : await servers?.clustersOfUser(call, userId));
    const found = new Set<bigint>();
    if (clusterIds.size === 0) return found;
    for (const id of distinct(ids)) {
      const using = await clusters?.usingPolicy(call, "http_firewall_policy", id) ?? [];
      if (using.some((cluster) => clusterIds.has(cluster.id))) found.add(id);
    }
    return found;
  }
}
