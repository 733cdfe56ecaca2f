import { type Call, type Clock, invalid, ownerOf, unixSeconds } from "edgehelm";
import { MAX_LIST_LENGTH } from "edgehelm/fields";
import { errors } from "./errors.ts";
import { actsForInstallation } from "./ownership.ts";
import { NS_DOMAINS } from "./quota.ts";
import type { NSDomainChanges } from "./store_changes.ts";
import type { NSDomainList } from "./store_tables.ts";
import type { NSDomainStore } from "./store.ts";
import type { RelatedContracts } from "./summaries.ts";
import type { HeldDomain, TransferAsks } from "./transfer_asks.ts";

/** The requested cluster, owner and groups of domains. */
export interface PlacementRequest {
  readonly nsClusterId: bigint;
  readonly userId: bigint;
  readonly nsDomainGroupIds: readonly bigint[];
}

/** The dependencies of the placement. */
export interface PlacementDeps {
  readonly domains: NSDomainStore;
  readonly changes: NSDomainChanges;
  readonly list: NSDomainList;
  readonly related: RelatedContracts;
  readonly clock: Clock;
  readonly transferAsks: TransferAsks;
}

/** Creates domains, and checks the cluster, the owner and the groups of new and moved domains. */
export class Placement {
  readonly #deps: PlacementDeps;

  constructor(deps: PlacementDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a domain for each name, or none if one cannot be created.
   *
   * @param field returns the field of the request that contains the name at an index
   */
  async create(call: Call, request: PlacementRequest, names: readonly string[], field: (index: number) => string) {
    const userId = ownerOf(call, request.userId);
    // Started together, so that a remote database needs only one round trip.
    const [nsClusterId, , groupIds] = await allInOrder([
      this.#clusterId(call, request.nsClusterId),
      this.requireOwner(call, userId),
      this.groupIdsColumn(call, request.nsDomainGroupIds, userId),
    ]);
    const status = actsForInstallation(call) ? "verified" : "none";
    const held = await this.#requireFreeNames(call, nsClusterId, userId, names, field);
    const count = () => this.#deps.list.count(call, { userId });
    await this.#deps.related.quotas?.require(call, NS_DOMAINS, userId, names.length, count);
    const createdAt = BigInt(unixSeconds(this.#deps.clock));
    const ids = await this.#deps.changes.create(call, { nsClusterId, userId, names, status, groupIds, createdAt });
    for (const domain of held) {
      await this.#deps.transferAsks.asked(call, domain, { id: ids[names.indexOf(domain.name)]!, userId });
    }
    return ids;
  }

  async requireOwner(call: Call, userId: bigint): Promise<void> {
    if (userId < 0n) throw invalid("userId", `must not be negative, got ${userId}`);
    if (userId !== 0n) await this.#deps.related.users?.requireUser(call, "userId", userId);
  }

  /** Checks that the groups belong to the owner, and returns them as the column stores them. */
  async groupIdsColumn(call: Call, ids: readonly bigint[], userId: bigint): Promise<string> {
    const distinct = [...new Set(ids)];
    if (distinct.length === 0) return "[]";
    const field = "nsDomainGroupIds";
    if (distinct.length > MAX_LIST_LENGTH) throw invalid(field, `must have at most ${MAX_LIST_LENGTH} items`);
    const { groups } = this.#deps.related;
    if (groups === undefined) throw invalid(field, "must be empty, because domain groups are not enabled");
    await groups.requireGroups(call, field, distinct, userId);
    return `[${distinct.join(",")}]`;
  }

  /** A user may omit the cluster to use the default one; a caller that acts for the installation must specify it. */
  async #clusterId(call: Call, requested: bigint): Promise<bigint> {
    const { clusters } = this.#deps.related;
    if (requested === 0n && !actsForInstallation(call)) {
      const cluster = await clusters.defaultCluster(call, ownerOf(call, 0n));
      if (cluster === undefined) throw invalid("nsClusterId", "must be set, because there is no default cluster");
      return cluster.id;
    }
    return (await clusters.requireCluster(call, "nsClusterId", requested)).id;
  }

  /** Returns the domains with these names that are verified for another owner, whom a user may ask for them. */
  async #requireFreeNames(
    call: Call,
    nsClusterId: bigint,
    userId: bigint,
    names: readonly string[],
    field: (index: number) => string,
  ): Promise<HeldDomain[]> {
    // The common case of one unused name, which is faster to check than several names.
    const [name = ""] = names;
    const isUnused = names.length === 1 &&
      (await this.#deps.domains.isUnused.one(call, { nsClusterId, name })).isUnused;
    const held = isUnused ? [] : await this.#requireUnusedNames(call, nsClusterId, userId, names, field);
    if (!isUnused || !actsForInstallation(call)) await this.#requireAllowedNames(call, names, field);
    return held;
  }

  async #requireUnusedNames(
    call: Call,
    nsClusterId: bigint,
    userId: bigint,
    names: readonly string[],
    field: (index: number) => string,
  ): Promise<HeldDomain[]> {
    const found = await this.#deps.domains.namesakes.all(call, { nsClusterId, names });
    for (const { name, userId: owner, status } of found) {
      const at = field(names.indexOf(name));
      if (owner === userId) throw errors.name_taken(at, name);
      if (actsForInstallation(call) && status === "verified") throw errors.verified_elsewhere(at, name);
    }
    return found.filter(({ status }) => status === "verified");
  }

  /** Refuses, for a user, names at or below those that an admin forbade; an admin who uses them allows them again. */
  async #requireAllowedNames(call: Call, names: readonly string[], field: (index: number) => string): Promise<void> {
    const isUser = !actsForInstallation(call);
    const forbiddenBy = new Map(names.map((name) => [name, isUser ? withParents(name) : [name]]));
    const found = await this.#deps.domains.forbidden.first(call, { names: [...forbiddenBy.values()].flat() });
    if (found === undefined) return;
    if (!isUser) return void await this.#deps.changes.allowDeleted.run(call, { names });
    const index = names.findIndex((name) => forbiddenBy.get(name)!.includes(found.name));
    throw errors.name_forbidden(field(index), names[index]!, found.name);
  }

  /** Refuses a change that would give an owner two domains with the name, or make two domains with it verified. */
  async requireNoConflict(
    call: Call,
    row: { id: bigint; nsClusterId: bigint; userId: bigint; name: string; status: string },
    field: string,
  ): Promise<void> {
    const { id, nsClusterId, userId, name, status } = row;
    for (const other of await this.#deps.domains.namesakes.all(call, { nsClusterId, names: [name] })) {
      if (other.id === id) continue;
      if (other.userId === userId) throw errors.name_taken(field, name);
      if (status === "verified" && other.status === status) throw errors.verified_elsewhere(field, name);
    }
  }
}

/** Returns a name and those above it: a.example.com, example.com and com for a.example.com. */
function withParents(name: string): string[] {
  const labels = name.split(".");
  return labels.map((_, index) => labels.slice(index).join("."));
}

/** Like `Promise.all`, but throws the error of the first rejected promise in this order, not in time. */
async function allInOrder<const Promises extends readonly Promise<unknown>[]>(promises: Promises) {
  for (const outcome of await Promise.allSettled(promises)) if (outcome.status === "rejected") throw outcome.reason;
  return await Promise.all(promises);
}
