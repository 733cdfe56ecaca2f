import { type Call, type Clock, distinct, invalid, unixSeconds } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { Users } from "../user/contract.ts";
import { type CheckedNames, nodesIn } from "./config.ts";
import type { ServerReference, ServerReferenceKeeper } from "./contract.ts";
import { errors } from "./errors.ts";
import { type NewServer, searchTextOf, type ServerRow, type ServerStore } from "./store.ts";

/** What other plugins tell about a server's surroundings. */
export interface Neighbours {
  readonly clusters: NodeClusters | undefined;
  readonly nodes: Nodes | undefined;
  readonly users: Users | undefined;
  readonly keepers: readonly ServerReferenceKeeper[];
}

/** By what a server is served. */
type Served = Pick<ServerRow, "nodeClusterId" | "includeNodesJSON">;

/** Finding servers for a caller, and changing them so that names, references and clusters stay right. */
export class Sites {
  readonly #servers: ServerStore;
  readonly #neighbours: Neighbours;
  readonly #clock: Clock;

  constructor(servers: ServerStore, neighbours: Neighbours, clock: Clock) {
    this.#servers = servers;
    this.#neighbours = neighbours;
    this.#clock = clock;
  }

  /** The server, or nothing when it is missing or another user's. */
  async find(call: Call, id: bigint): Promise<ServerRow | undefined> {
    return await this.#servers.find(call, id);
  }

  /** The server; refuses when it is missing or another user's. */
  async require(call: Call, id: bigint): Promise<ServerRow> {
    return await this.#servers.require(call, "serverId", id);
  }

  async create(call: Call, server: Omit<NewServer, "createdAt">, names: readonly string[]): Promise<bigint> {
    await this.requireUser(call, server.userId);
    await this.requireCluster(call, server.nodeClusterId);
    await this.requireReference(call, "user_plan", "userPlanId", server.userPlanId, server.userId);
    await this.requireReference(call, "http_web", "webId", server.webId, server.userId);
    await this.requireProxy(call, server.reverseProxyId, server.userId);
    await this.#requireFree(call, server.nodeClusterId, names, 0n, "serverNamesJSON");
    const id = await this.#servers.insert(call, { ...server, createdAt: BigInt(unixSeconds(this.#clock)) }, names);
    await this.#servers.addNames.run(call, { nodeClusterId: server.nodeClusterId, serverId: id, names });
    await this.#tell(call, [server]);
    return id;
  }

  /** Changes some of a server and tells its cluster. */
  async change(call: Call, row: ServerRow, changes: Partial<ServerRow>): Promise<void> {
    const { isOn, version: _version, id: _id, ...rest } = changes;
    const isRenamed = changes.name !== undefined || changes.description !== undefined;
    const searchText = isRenamed
      ? { searchText: searchTextOf({ ...row, ...changes }, await this.names(call, row)) }
      : {};
    await this.#servers.change(call, row, { ...rest, ...searchText, ...(isOn !== undefined && { isOn: isOn === 1n }) });
    await this.#tell(call, [row]);
  }

  async rename(call: Call, row: ServerRow, { names, serverNamesJSON }: CheckedNames): Promise<void> {
    await this.#requireFree(call, row.nodeClusterId, names, row.id, "serverNamesJSON");
    await this.#servers.dropNames.run(call, { ids: [row.id] });
    await this.#servers.addNames.run(call, { nodeClusterId: row.nodeClusterId, serverId: row.id, names });
    await this.change(call, row, {
      serverNamesJSON,
      countServerNames: BigInt(names.length),
      firstServerName: names[0] ?? "",
      searchText: searchTextOf(row, names),
    });
  }

  /** Moves a server, with its names, to another cluster. */
  async move(call: Call, row: ServerRow, nodeClusterId: bigint): Promise<void> {
    if (nodeClusterId === row.nodeClusterId) return;
    await this.requireCluster(call, nodeClusterId);
    const names = await this.names(call, row);
    await this.#requireFree(call, nodeClusterId, names, row.id, "nodeClusterId");
    await this.#servers.dropNames.run(call, { ids: [row.id] });
    await this.#servers.addNames.run(call, { nodeClusterId, serverId: row.id, names });
    await this.#servers.change(call, row, { nodeClusterId });
    await this.#tell(call, [row, { ...row, nodeClusterId }]);
  }

  async remove(call: Call, rows: readonly ({ readonly id: bigint } & Served)[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#servers.remove(call, rows.map(({ id }) => id));
    await this.#tell(call, rows);
  }

  /** Marks servers, and so their clusters, for update. */
  async touch(call: Call, ids: readonly bigint[]): Promise<void> {
    const rows = await this.#servers.byIds.all(call, { ids });
    if (rows.length === 0) return;
    await this.#servers.touch(call, rows.map(({ id }) => id));
    await this.#tell(call, rows);
  }

  /** Marks for update what serves a user's servers. */
  async touchOfUser(call: Call, userId: bigint): Promise<void> {
    const clusters = await this.#servers.clustersOfUser.all(call, { userId });
    await this.#neighbours.clusters?.configChanged(call, clusters.map(({ nodeClusterId }) => nodeClusterId));
    const lists = await this.#servers.moreNodesOfUser.all(call, { userId });
    const added = lists.flatMap(({ includeNodesJSON }) => nodesIn("includeNodesJSON", includeNodesJSON));
    await this.#neighbours.nodes?.configChanged(call, distinct(added));
  }

  /** Marks for update what serves these: their clusters, and the nodes that they have beyond. */
  async #tell(call: Call, rows: readonly Served[]): Promise<void> {
    const { clusters, nodes } = this.#neighbours;
    await clusters?.configChanged(call, distinct(rows.map((row) => row.nodeClusterId)));
    await nodes?.configChanged(
      call,
      distinct(rows.flatMap((row) => nodesIn("includeNodesJSON", row.includeNodesJSON))),
    );
  }

  /** The names that a server has, sorted. */
  async names(call: Call, { id }: { readonly id: bigint }): Promise<string[]> {
    return (await this.#servers.namesOf.all(call, { id })).map(({ name }) => name);
  }

  async requireUser(call: Call, userId: bigint): Promise<void> {
    if (userId < 0n) throw invalid("userId", `must not be negative, got ${userId}`);
    if (userId !== 0n) await this.#neighbours.users?.requireUser(call, "userId", userId);
  }

  async requireCluster(call: Call, nodeClusterId: bigint): Promise<void> {
    if (nodeClusterId <= 0n) throw invalid("nodeClusterId", `must be a positive id, got ${nodeClusterId}`);
    await this.#neighbours.clusters?.requireCluster(call, "nodeClusterId", nodeClusterId);
  }

  async requireProxy(call: Call, id: bigint, userId: bigint): Promise<void> {
    await this.requireReference(call, "reverse_proxy", "reverseProxyJSON.reverseProxyId", id, userId);
  }

  async requireReference(call: Call, kind: ServerReference, field: string, id: bigint, userId: bigint): Promise<void> {
    if (id < 0n) throw invalid(field, `must not be negative, got ${id}`);
    if (id === 0n) return;
    for (const keeper of this.#neighbours.keepers) {
      if (keeper.kind === kind) await keeper.requireFor(call, field, id, userId);
    }
  }

  async #requireFree(call: Call, nodeClusterId: bigint, names: readonly string[], id: bigint, field: string) {
    const found = await this.#servers.namesakes.all(call, { nodeClusterId, names });
    const taken = found.find(({ serverId }) => serverId !== id);
    if (taken !== undefined) throw errors.name_taken(field, taken.name);
  }
}
