import { type Call, callerId } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import { nodesIn } from "./config.ts";
import type { ServedServer } from "./contract.ts";
import type { ServerRow, ServerStore } from "./store.ts";

/** Nodes apply a new configuration within this time, and serve a site that left their cluster until then. */
const SETTLING_SECONDS = 600n;
const EMPTY_LIST_LENGTH = "[]".length;

/** The columns that determine which nodes serve a site. */
export type Placement = Pick<ServerRow, "nodeClusterId" | "includeNodesJSON" | "excludeNodesJSON">;

/** A node and its clusters, the primary one and the secondary ones. */
export interface PlacedNode {
  readonly id: bigint;
  readonly clusterIds: readonly bigint[];
}

/** Returns true if a node serves a site: as a node of its cluster that is not excluded, or as an included node. */
export function isPlacedOn(site: Placement, { id, clusterIds }: PlacedNode): boolean {
  if (listsNode(site, "includeNodesJSON", id)) return true;
  return clusterIds.includes(site.nodeClusterId) && !listsNode(site, "excludeNodesJSON", id);
}

/** Tells about which sites a caller may report. Sites that are turned off count, since their last reports arrive later. */
export class Serving {
  readonly #servers: ServerStore;
  readonly #nodes: Nodes | undefined;

  constructor(servers: ServerStore, nodes: Nodes | undefined) {
    this.#servers = servers;
    this.#nodes = nodes;
  }

  async servedByCaller(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, ServedServer>> {
    if (ids.length === 0 || !mayReport(call)) return new Map();
    const rows = await this.#servers.byIds.all(call, { ids });
    const all = new Map(rows.map((row) => [row.id, { ...row, servedUntil: undefined }]));
    if (call.caller.role !== "node") return all;
    const node = await this.#callingNode(call);
    const served = new Map<bigint, ServedServer>([...all].filter(([, site]) => isPlacedOn(site, node)));
    const others = rows.filter((site) => !served.has(site.id) && !listsNode(site, "excludeNodesJSON", node.id));
    if (others.length === 0) return served;
    const serverIds = others.map((site) => site.id);
    const departures = await this.#servers.departures.all(call, { serverIds, nodeClusterIds: node.clusterIds });
    for (const { serverId, leftAt } of departures) {
      served.set(serverId, { ...all.get(serverId)!, servedUntil: leftAt + SETTLING_SECONDS });
    }
    return served;
  }

  /** Returns the sites of `servedByCaller`, each with the unix second until which the caller served it, if it left. */
  async timesOf(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint | undefined>> {
    return new Map([...await this.servedByCaller(call, ids)].map(([id, { servedUntil }]) => [id, servedUntil]));
  }

  async proxiesServedByCaller(call: Call, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
    if (ids.length === 0 || !mayReport(call)) return new Set();
    if (call.caller.role !== "node") return new Set(ids);
    const node = await this.#callingNode(call);
    const placements = await this.#servers.placementsOfProxies.all(call, { ids });
    return new Set(placements.filter((site) => isPlacedOn(site, node)).map(({ reverseProxyId }) => reverseProxyId));
  }

  async #callingNode(call: Call): Promise<PlacedNode> {
    const id = callerId(call.caller);
    return { id, clusterIds: await this.#nodes?.clustersOf(call, id) ?? [] };
  }
}

function mayReport({ caller: { role } }: Call): boolean {
  return role === "node" || role === "admin" || role === "system";
}

function listsNode(site: Placement, list: "includeNodesJSON" | "excludeNodesJSON", nodeId: bigint): boolean {
  return site[list].length > EMPTY_LIST_LENGTH && nodesIn(list, site[list]).includes(nodeId);
}
