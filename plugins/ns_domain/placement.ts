import { type Call, type Clock, invalid, MAX_LIST_LENGTH, ownerOf, unixSeconds } from "edgehelm";
import { errors } from "./errors.ts";
import { decidesForAll } from "./ownership.ts";
import type { NSDomainStore } from "./store.ts";
import type { Neighbours } from "./summaries.ts";

/** Where domains are to stand: on which cluster, whose, and in which groups. */
export interface Place {
  readonly nsClusterId: bigint;
  readonly userId: bigint;
  readonly nsDomainGroupIds: readonly bigint[];
}

/** Checks of where domains may stand, for creating and for moving them. */
export class Placement {
  readonly #domains: NSDomainStore;
  readonly #neighbours: Neighbours;
  readonly #clock: Clock;

  constructor(domains: NSDomainStore, neighbours: Neighbours, clock: Clock) {
    this.#domains = domains;
    this.#neighbours = neighbours;
    this.#clock = clock;
  }

  /** Creates all of the names or none; `field` words where the name at an index came from. */
  async create(call: Call, request: Place, names: readonly string[], field: (index: number) => string) {
    const userId = ownerOf(call, request.userId);
    // a remote database answers in one round trip what is asked in one turn
    const [nsClusterId, , groupIds] = await firstFailure([
      this.#clusterId(call, request.nsClusterId),
      this.requireOwner(call, userId),
      this.groupList(call, request.nsDomainGroupIds, userId),
    ]);
    const status = decidesForAll(call) ? "verified" : "none";
    await this.#requireFree(call, nsClusterId, userId, names, field);
    const createdAt = BigInt(unixSeconds(this.#clock));
    return await this.#domains.create(call, { nsClusterId, userId, names, status, groupIds, createdAt });
  }

  async requireOwner(call: Call, userId: bigint): Promise<void> {
    if (userId < 0n) throw invalid("userId", `must not be negative, got ${userId}`);
    if (userId !== 0n) await this.#neighbours.users?.requireUser(call, "userId", userId);
  }

  /** The owner's groups, as the column keeps them. */
  async groupList(call: Call, ids: readonly bigint[], userId: bigint): Promise<string> {
    const distinct = [...new Set(ids)];
    if (distinct.length === 0) return "[]";
    const field = "nsDomainGroupIds";
    if (distinct.length > MAX_LIST_LENGTH) throw invalid(field, `must have at most ${MAX_LIST_LENGTH} items`);
    const { groups } = this.#neighbours;
    if (groups === undefined) throw invalid(field, "domain groups are not enabled: leave it empty");
    await groups.requireGroups(call, field, distinct, userId);
    return `[${distinct.join(",")}]`;
  }

  /** Users who name no cluster get the default one; who decides for all must name it. */
  async #clusterId(call: Call, requested: bigint): Promise<bigint> {
    const { clusters } = this.#neighbours;
    if (requested === 0n && !decidesForAll(call)) {
      const cluster = await clusters.defaultCluster(call);
      if (cluster === undefined) throw invalid("nsClusterId", "there is no default cluster: name one");
      return cluster.id;
    }
    return (await clusters.requireCluster(call, "nsClusterId", requested)).id;
  }

  async #requireFree(
    call: Call,
    nsClusterId: bigint,
    userId: bigint,
    names: readonly string[],
    field: (index: number) => string,
  ): Promise<void> {
    // the common case, and quicker to find out than who has which of the names
    const [name = ""] = names;
    if (names.length === 1 && await this.#domains.namesake.first(call, { nsClusterId, name }) === undefined) return;
    for (const { name, userId: owner, status } of await this.#domains.namesakes.all(call, { nsClusterId, names })) {
      const at = field(names.indexOf(name));
      if (owner === userId) throw errors.name_taken(at, name);
      if (decidesForAll(call) ? status === "verified" : status === "forbidden") {
        throw status === "verified" ? errors.verified_elsewhere(at, name) : errors.name_forbidden(at, name);
      }
    }
  }

  /** Refuses where a name could not stand: beside the owner's own, or verified beside another verified one. */
  async requireRoom(
    call: Call,
    row: { id: bigint; nsClusterId: bigint; userId: bigint; name: string; status: string },
    field: string,
  ): Promise<void> {
    const { id, nsClusterId, userId, name, status } = row;
    for (const other of await this.#domains.namesakes.all(call, { nsClusterId, names: [name] })) {
      if (other.id === id) continue;
      if (other.userId === userId) throw errors.name_taken(field, name);
      if (status === "verified" && other.status === status) throw errors.verified_elsewhere(field, name);
    }
  }
}

/** What all of them answer; otherwise what the first of them in this order throws, not the first in time. */
async function firstFailure<const Deps extends readonly Promise<unknown>[]>(deps: Deps) {
  for (const outcome of await Promise.allSettled(deps)) if (outcome.status === "rejected") throw outcome.reason;
  return await Promise.all(deps);
}
