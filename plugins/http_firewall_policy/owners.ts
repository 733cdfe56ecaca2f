import { type Call, distinct, invalid, mayAccessOwner } from "edgehelm";
import type { Referrer } from "edgehelm/rows";
import type { ServerSummary, ServerTransferListener } from "../server/contract.ts";
import { errors } from "./errors.ts";
import { groupIdsOf } from "./groups.ts";
import type { PolicyDeps } from "./policies.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

type Owned = Pick<PolicyRow, "serverId" | "userId">;

/**
 * The owners of policies: the user who created it, or else the owner of its server, if a policy belongs to one, or else the
 * installation.
 */
export class PolicyOwners implements Referrer, ServerTransferListener {
  readonly #store: PolicyStore;
  readonly #deps: PolicyDeps;

  constructor(store: PolicyStore, deps: PolicyDeps) {
    this.#store = store;
    this.#deps = deps;
  }

  async ownerOf(call: Call, { serverId, userId }: Owned): Promise<bigint> {
    return userId || ((await this.#ownersOf(call, [serverId])).get(serverId) ?? 0n);
  }

  /** Returns the policy, or undefined if it does not exist or the caller may not access it. */
  async find(call: Call, id: bigint): Promise<PolicyRow | undefined> {
    const row = await this.#store.find(call, id);
    return row !== undefined && mayAccessOwner(call.caller, await this.ownerOf(call, row)) ? row : undefined;
  }

  /** Returns the policy. Refuses one that does not exist, or that the caller may not change. */
  async require(call: Call, id: bigint): Promise<PolicyRow> {
    const { id: checked } = await this.#store.require(call, "httpFirewallPolicyId", id);
    const row = await this.find(call, checked);
    if (row === undefined) throw errors.not_found(checked);
    const isUser = !mayAccessOwner(call.caller, 0n);
    const using = isUser ? await this.#deps.clusters?.usingPolicy(call, "http_firewall_policy", checked) ?? [] : [];
    if (using.length > 0) throw errors.used_by_cluster(checked);
    return row;
  }

  /** Refuses a policy of a user for a cluster, since the user could change it for all sites of the cluster. */
  async requireInstallations(call: Call, field: string, id: bigint): Promise<void> {
    const row = await this.#store.byId.first(call, { id });
    const owner = row === undefined ? 0n : await this.ownerOf(call, row);
    if (owner !== 0n) throw invalid(field, `firewall policy ${id} belongs to user ${owner}`);
  }

  async referredFor(call: Call, groupIds: readonly bigint[], userId: bigint): Promise<readonly bigint[]> {
    let ofClusters: ReadonlySet<bigint> | undefined;
    return await this.#store.groupsWithPolicy(call, groupIds, async (inner, ids) => {
      ofClusters ??= await this.#policiesOfClustersOf(inner, userId);
      const policies = await this.#store.summaries.all(inner, { ids });
      const owners = await this.#ownersOf(inner, policies.map(({ serverId }) => serverId));
      const counted = policies.filter(({ id, serverId, userId: owner }) =>
        ofClusters!.has(id) || (owner || owners.get(serverId)) === userId
      );
      return new Set(counted.map(({ id }) => id));
    });
  }

  async referredByOthers(call: Call, groupIds: readonly bigint[], userId: bigint): Promise<readonly bigint[]> {
    return await this.#store.groupsWithPolicy(call, groupIds, async (inner, ids) => {
      const policies = await this.#store.summaries.all(inner, { ids });
      const owners = await this.#ownersOf(inner, policies.map(({ serverId }) => serverId));
      const others = policies.filter(({ serverId, userId: owner }) =>
        (owner || (owners.get(serverId) ?? 0n)) !== userId
      );
      return new Set(others.map(({ id }) => id));
    });
  }

  async transferred(call: Call, server: ServerSummary, previousUserId: bigint): Promise<void> {
    for (const row of await this.#store.ofServer.all(call, { serverId: server.id })) {
      if (row.userId !== 0n) await this.#store.setOwner.run(call, { id: row.id, userId: server.userId });
      const references = groupIdsOf(row).map((id) => ({ field: "serverId", id }));
      await this.#deps.groups.take(call, references, { userId: server.userId, previousUserId });
    }
  }

  async #ownersOf(call: Call, serverIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>> {
    const ids = distinct(serverIds.filter((id) => id !== 0n));
    const servers = ids.length === 0 ? undefined : await this.#deps.servers?.summaries(call, ids);
    return new Map([...servers ?? []].map(([id, { userId }]) => [id, userId]));
  }

  /** Returns the policies of the clusters that serve sites of the user. */
  async #policiesOfClustersOf(call: Call, userId: bigint): Promise<ReadonlySet<bigint>> {
    const { clusters, servers } = this.#deps;
    const found = new Set<bigint>();
    for (const clusterId of await servers?.clustersOfUser(call, userId) ?? []) {
      found.add(await clusters?.policyOf(call, "http_firewall_policy", clusterId) ?? 0n);
    }
    return found;
  }
}
