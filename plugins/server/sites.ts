import { type Call, type Clock, distinct, invalid, unixSeconds } from "edgehelm";
import { noneField } from "edgehelm/fields";
import type { Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { Users, UserStates } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { actsForInstallation, type NameClaims } from "./claims.ts";
import { type CheckedNames, nodesIn, sslPolicyIdIn, withoutNames } from "./config.ts";
import type { ServerReference, ServerReferenceResolver, ServerTransferListener } from "./contract.ts";
import { errors } from "./errors.ts";
import type { NameProofs } from "./proofs.ts";
import { SERVER_NAMES } from "./quota.ts";
import type { Listener } from "./rules.ts";
import { type NewServer, searchTextOf, type ServerRow, type ServerStore } from "./store.ts";

/** The time for which departures of servers from clusters are kept, in seconds: 90 days. */
const DEPARTURE_SECONDS = 90n * 86_400n;

/** The contracts of the plugins that servers refer to. */
export interface RelatedContracts {
  readonly clusters: NodeClusters | undefined;
  readonly nodes: Nodes | undefined;
  readonly users: Users | undefined;
  readonly states: UserStates | undefined;
  readonly quotas: UserQuotas | undefined;
  readonly resolvers: readonly ServerReferenceResolver[];
  readonly transferListeners: readonly ServerTransferListener[];
}

type Changes = Partial<Omit<ServerRow, "id" | "isOn" | "isOffByAdmin" | "state" | "version">>;

/** The columns that determine the nodes of a server. */
type Placement = Pick<ServerRow, "nodeClusterId" | "includeNodesJSON">;

/** Finds servers for a caller and changes them, keeping names, references and clusters consistent. */
export class Sites {
  readonly #servers: ServerStore;
  readonly #related: RelatedContracts;
  readonly #clock: Clock;
  readonly #claims: NameClaims;
  readonly #proofs: NameProofs;

  constructor(servers: ServerStore, claims: NameClaims, proofs: NameProofs, related: RelatedContracts, clock: Clock) {
    this.#servers = servers;
    this.#claims = claims;
    this.#proofs = proofs;
    this.#related = related;
    this.#clock = clock;
  }

  /** Returns the server, or undefined if it does not exist or belongs to another user. */
  async find(call: Call, id: bigint): Promise<ServerRow | undefined> {
    return await this.#servers.find(call, id);
  }

  /** Returns the server. Refuses one that does not exist or belongs to another user. */
  async require(call: Call, id: bigint): Promise<ServerRow> {
    return await this.#servers.require(call, "serverId", id);
  }

  async create(call: Call, server: Omit<NewServer, "createdAt">, names: readonly string[]): Promise<bigint> {
    await this.requireUser(call, server.userId);
    await this.requireCluster(call, server.nodeClusterId, server.userId);
    await this.requireReference(call, "user_plan", "userPlanId", server.userPlanId, server.userId);
    await this.requireRoom(call, "userPlanId", { ...server, id: 0n });
    await this.requireReference(call, "http_web", "webId", server.webId, server.userId);
    await this.requireProxy(call, server.reverseProxyId, server.userId);
    await this.#claims.require(call, { ...server, id: 0n }, names, "serverNamesJSON");
    const id = await this.#servers.insert(call, { ...server, createdAt: BigInt(unixSeconds(this.#clock)) }, names);
    await this.#servers.addNames.run(call, { nodeClusterId: server.nodeClusterId, serverId: id, names });
    await this.#claims.given(call, { id, isOffByAdmin: 0n }, names);
    await this.#markForUpdate(call, [server]);
    return id;
  }

  /** Changes some columns of a server, except its state, and marks its cluster for update. */
  async change(call: Call, row: ServerRow, changes: Changes): Promise<void> {
    const isRenamed = changes.name !== undefined || changes.description !== undefined;
    const searchText = isRenamed
      ? { searchText: searchTextOf({ ...row, ...changes }, await this.names(call, row)) }
      : {};
    await this.#servers.change(call, row, { ...changes, ...searchText });
    await this.#markForUpdate(call, [row]);
  }

  /**
   * Turns a server on or off. What an admin turns off, only an admin can turn on, and its names are kept from users.
   */
  async turn(call: Call, row: ServerRow, isOn: boolean): Promise<void> {
    const isAdmin = actsForInstallation(call);
    if (isOn && !isAdmin && row.isOffByAdmin === 1n) throw errors.off_by_admin(row.id);
    if (isAdmin && isOn) await this.#claims.allowOf(call, row.id);
    if (isAdmin && !isOn) await this.#claims.forbid(call, row.id, await this.names(call, row));
    await this.#servers.change(call, row, { isOn, ...(isAdmin && { isOffByAdmin: !isOn }) });
    await this.#markForUpdate(call, [row]);
  }

  /** Returns the names that the caller has proved to control, of those that other users hold; before a transaction. */
  async provedNames(call: Call, row: ServerRow, { names }: CheckedNames): Promise<ReadonlySet<string>> {
    const held = await this.#claims.heldByOthers(call, row, await this.#added(call, row, names));
    return await this.#proofs.require(call, row.userId, held, "serverNamesJSON");
  }

  /** Replaces the names of a server. Names that the caller has proved to control are taken from the servers of others. */
  async rename(call: Call, row: ServerRow, checked: CheckedNames, proved: ReadonlySet<string>): Promise<void> {
    const { names } = checked;
    const added = await this.#added(call, row, names);
    const countServerNames = BigInt(names.length);
    if (countServerNames > row.countServerNames) {
      await this.requireRoom(call, "serverNamesJSON", { ...row, countServerNames });
    }
    const count = async () => (await this.#servers.countNames.one(call, { userId: row.userId })).count;
    await this.#related.quotas?.require(
      call,
      SERVER_NAMES,
      row.userId,
      BigInt(names.length) - row.countServerNames,
      count,
    );
    const taken = Map.groupBy(
      await this.#claims.require(call, row, added, "serverNamesJSON", proved),
      ({ serverId }) => serverId,
    );
    for (const [serverId, conflicts] of taken) {
      const holder = (await this.#servers.byId.first(call, { id: serverId }))!;
      await this.#setNames(
        call,
        holder,
        withoutNames(holder.serverNamesJSON, new Set(conflicts.map(({ held }) => held))),
      );
    }
    await this.#proofs.used(call, row.userId, proved);
    await this.#setNames(call, row, checked);
    await this.#claims.given(call, row, names);
  }

  /** Returns those of the names that the server does not have. */
  async #added(call: Call, row: ServerRow, names: readonly string[]): Promise<string[]> {
    const current = new Set(await this.names(call, row));
    return names.filter((name) => !current.has(name));
  }

  async #setNames(call: Call, row: ServerRow, { names, serverNamesJSON }: CheckedNames): Promise<void> {
    await this.#servers.dropNames.run(call, { ids: [row.id] });
    await this.#servers.addNames.run(call, { nodeClusterId: row.nodeClusterId, serverId: row.id, names });
    await this.change(call, row, {
      serverNamesJSON,
      countServerNames: BigInt(names.length),
      firstServerName: names[0] ?? "",
      searchText: searchTextOf(row, names),
    });
  }

  /** Moves a server and its names to another cluster. */
  async move(call: Call, row: ServerRow, nodeClusterId: bigint): Promise<void> {
    if (nodeClusterId === row.nodeClusterId) return;
    await this.requireCluster(call, nodeClusterId, row.userId);
    const names = await this.names(call, row);
    await this.#claims.require(call, { ...row, nodeClusterId }, names, "nodeClusterId");
    await this.#servers.dropNames.run(call, { ids: [row.id] });
    await this.#servers.addNames.run(call, { nodeClusterId, serverId: row.id, names });
    await this.#servers.change(call, row, { nodeClusterId });
    const leftAt = unixSeconds(this.#clock);
    await this.#servers.dropDepartures.run(call, { before: leftAt - DEPARTURE_SECONDS });
    await this.#servers.addDeparture.run(call, { serverId: row.id, nodeClusterId: row.nodeClusterId, leftAt });
    await this.#markForUpdate(call, [row, { ...row, nodeClusterId }]);
  }

  async remove(call: Call, rows: readonly ({ readonly id: bigint } & Placement)[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#servers.remove(call, rows.map(({ id }) => id));
    await this.#markForUpdate(call, rows);
  }

  async removeIds(call: Call, ids: readonly bigint[]): Promise<void> {
    await this.remove(call, await this.#servers.byIds.all(call, { ids }));
  }

  /** Marks servers and their clusters for update. */
  async touch(call: Call, ids: readonly bigint[]): Promise<void> {
    const rows = await this.#servers.byIds.all(call, { ids });
    if (rows.length === 0) return;
    await this.#servers.touch(call, rows.map(({ id }) => id));
    await this.#markForUpdate(call, rows);
  }

  /** Marks the clusters and nodes that serve the servers of a user for update. */
  async touchOfUser(call: Call, userId: bigint): Promise<void> {
    const clusters = await this.#servers.clustersOfUser.all(call, { userId });
    await this.#related.clusters?.configChanged(call, clusters.map(({ nodeClusterId }) => nodeClusterId));
    const lists = await this.#servers.includedNodesOfUser.all(call, { userId });
    const includedNodes = lists.flatMap(({ includeNodesJSON }) => nodesIn("includeNodesJSON", includeNodesJSON));
    await this.#related.nodes?.configChanged(call, distinct(includedNodes));
  }

  /** Marks the clusters and included nodes of servers for update. */
  async #markForUpdate(call: Call, rows: readonly Placement[]): Promise<void> {
    const { clusters, nodes } = this.#related;
    await clusters?.configChanged(call, distinct(rows.map((row) => row.nodeClusterId)));
    await nodes?.configChanged(
      call,
      distinct(rows.flatMap((row) => nodesIn("includeNodesJSON", row.includeNodesJSON))),
    );
  }

  /** Returns the names of a server, sorted. */
  async names(call: Call, { id }: { readonly id: bigint }): Promise<string[]> {
    return (await this.#servers.namesOf.all(call, { id })).map(({ name }) => name);
  }

  async requireUser(call: Call, userId: bigint): Promise<void> {
    if (userId < 0n) throw invalid("userId", `must not be negative, got ${userId}`);
    if (userId !== 0n) await this.#related.users?.requireUser(call, "userId", userId);
  }

  async requireCluster(call: Call, nodeClusterId: bigint, userId: bigint): Promise<void> {
    if (nodeClusterId <= 0n) throw invalid("nodeClusterId", `must be a positive id, got ${nodeClusterId}`);
    await this.#related.clusters?.requireCluster(call, "nodeClusterId", nodeClusterId, userId);
  }

  async requireProxy(call: Call, id: bigint, userId: bigint, previousUserId?: bigint): Promise<void> {
    await this.requireReference(call, "reverse_proxy", "reverseProxyJSON.reverseProxyId", id, userId, previousUserId);
  }

  async requireReference(
    call: Call,
    kind: ServerReference,
    field: string,
    id: bigint,
    userId: bigint,
    previousUserId?: bigint,
  ): Promise<void> {
    if (id < 0n) throw invalid(field, `must not be negative, got ${id}`);
    if (id === 0n) return;
    const resolvers = this.#related.resolvers.filter((resolver) => resolver.kind === kind);
    if (resolvers.length === 0) noneField(field, id);
    for (const resolver of resolvers) await resolver.requireFor(call, field, id, userId, previousUserId);
  }

  /** Refuses checked listen settings that refer to a certificate policy which does not exist. */
  async requirePolicyOf(call: Call, listener: Listener, checked: Uint8Array, userId: bigint): Promise<void> {
    const id = sslPolicyIdIn(listener, checked);
    await this.requireReference(call, "ssl_policy", `${listener}.sslPolicyRef.sslPolicyId`, id, userId);
  }

  /** Refuses, with an error that names `field`, a server for which its plan has no room. */
  async requireRoom(
    call: Call,
    field: string,
    { id, userPlanId, countServerNames }: Pick<ServerRow, "id" | "userPlanId" | "countServerNames">,
  ): Promise<void> {
    if (userPlanId === 0n) return;
    for (const resolver of this.#related.resolvers) {
      if (resolver.kind !== "user_plan") continue;
      await resolver.requireRoom?.(call, field, userPlanId, { id, countServerNames });
    }
  }

  /** Gives a server to another owner, with the objects that only this server uses; the plan stays with the old owner. */
  async transfer(call: Call, row: ServerRow, userId: bigint): Promise<void> {
    await this.requireUser(call, userId);
    await this.change(call, row, { userId, userPlanId: 0n });
    await this.takeReferences(call, { ...row, userId, userPlanId: 0n }, row.userId);
  }

  /** Gives the owner of a server what only the server uses of its previous owner and of the installation. */
  async takeReferences(call: Call, row: ServerRow, previousUserId: bigint): Promise<void> {
    await this.requireProxy(call, row.reverseProxyId, row.userId, previousUserId);
    for (const listener of this.#related.transferListeners) await listener.transferred(call, row, previousUserId);
  }
}
