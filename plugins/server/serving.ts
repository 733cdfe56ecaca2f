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

/**
 * Returns the sites about which the caller may report. Sites that are turned off count as served, because their last
 * reports arrive later.
 */
export async function servedByCaller(
  call: Call,
  servers: ServerStore,
  nodes: Nodes | undefined,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ServedServer>> {
  const { role } = call.caller;
  if (ids.length === 0 || (role !== "node" && role !== "admin" && role !== "system")) return new Map();
  const rows = await servers.byIds.all(call, { ids });
  const all = new Map(rows.map((row) => [row.id, { ...row, servedUntil: undefined }]));
  if (role !== "node") return all;
  const id = callerId(call.caller);
  const node = { id, clusterIds: await nodes?.clustersOf(call, id) ?? [] };
  const served = new Map<bigint, ServedServer>([...all].filter(([, site]) => isPlacedOn(site, node)));
  if (served.size === all.size) return served;
  const left = [...all.values()].filter((site) => !served.has(site.id) && !listsNode(site, "excludeNodesJSON", id));
  const departures = await servers.departures.all(call, {
    serverIds: left.map((site) => site.id),
    nodeClusterIds: node.clusterIds,
  });
  for (const { serverId, leftAt } of departures) {
    served.set(serverId, { ...all.get(serverId)!, servedUntil: leftAt + SETTLING_SECONDS });
  }
  return served;
}

function listsNode(site: Placement, list: "includeNodesJSON" | "excludeNodesJSON", nodeId: bigint): boolean {
  return site[list].length > EMPTY_LIST_LENGTH && nodesIn(list, site[list]).includes(nodeId);
}
