import { type Call, type Clock, distinct, unixSeconds } from "edgehelm";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { NodeRegions } from "../node_region/contract.ts";
import type { NodeAddresses } from "./contract.ts";
import { isActive } from "./status.ts";
import type { NodeStore } from "./store.ts";
import type { NodeLoginRow, NodeRow } from "./store_tables.ts";

export interface StoreDepsInit {
  readonly nodes: NodeStore;
  readonly clusters: NodeClusters;
  readonly regions: NodeRegions | undefined;
  readonly addressBooks: readonly NodeAddresses[];
  readonly clock: Clock;
}

/** The further clusters of nodes, in their order. */
export async function furtherClusters(
  call: Call,
  nodes: NodeStore,
  nodeIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly bigint[]>> {
  const rows = nodeIds.length === 0 ? [] : await nodes.furtherClusters.all(call, { nodeIds: [...nodeIds] });
  const byNode = Map.groupBy(rows, ({ nodeId }) => nodeId);
  return new Map([...byNode].map(([nodeId, own]) => [nodeId, own.map(({ nodeClusterId }) => nodeClusterId)]));
}

/** The version of what a node should know: its own changes and those of its clusters. */
export function latestVersion(
  { configVersion }: NodeRow,
  clusterIds: readonly bigint[],
  versions: ReadonlyMap<bigint, bigint>,
): bigint {
  return clusterIds.reduce((sum, id) => sum + (versions.get(id) ?? 0n), configVersion);
}

/** Nodes as operations answer them, with what stands around them; secrets and logins are not there. */
export async function nodeMessages(
  call: Call,
  { nodes, clusters, regions, addressBooks, clock }: StoreDepsInit,
  rows: readonly NodeRow[],
) {
  const ids = rows.map(({ id }) => id);
  const further = await furtherClusters(call, nodes, ids);
  const clusterIds = distinct([...rows.map(({ nodeClusterId }) => nodeClusterId), ...[...further.values()].flat()]);
  const clusterOf = await clusters.summaries(call, clusterIds);
  const versions = await clusters.configVersions(call, clusterIds);
  const regionIds = distinct(rows.map(({ nodeRegionId }) => nodeRegionId)).filter((id) => id > 0n);
  const regionOf = regionIds.length === 0 ? undefined : await regions?.summaries(call, regionIds);
  const books = ids.length === 0 ? [] : await Promise.all(addressBooks.map((book) => book.ofNodes(call, ids)));
  const now = unixSeconds(clock);
  return rows.map((row) => {
    const own = further.get(row.id) ?? [];
    const nodeCluster = clusterOf.get(row.nodeClusterId);
    const nodeRegion = regionOf?.get(row.nodeRegionId);
    return {
      ...plain(row),
      isActive: isActive(row, now),
      latestVersion: latestVersion(row, [row.nodeClusterId, ...own], versions),
      ipAddresses: books.flatMap((book) => book.get(row.id) ?? []),
      secondaryNodeClusters: own.flatMap((id) => clusterOf.get(id) ?? []),
      ...(nodeCluster && { nodeCluster }),
      ...(nodeRegion && { nodeRegion }),
    };
  });
}

function plain(row: NodeRow) {
  const disk = capacityOf(row.maxCacheDiskCapacity);
  const memory = capacityOf(row.maxCacheMemoryCapacity);
  return {
    id: row.id,
    name: row.name,
    ...(row.statusJSON && { statusJSON: row.statusJSON }),
    isInstalled: row.isInstalled === 1n,
    uniqueId: row.uniqueId,
    version: row.statusVersion,
    connectedAPINodeIds: (JSON.parse(row.connectedAPINodeIds) as number[]).map(BigInt),
    maxCPU: Number(row.maxCPU),
    isOn: row.isOn === 1n,
    isUp: row.isUp === 1n,
    dnsRoutes: (JSON.parse(row.dnsRoutes) as string[]).map((code) => ({ code, name: code })),
    ...(disk && { maxCacheDiskCapacity: disk }),
    ...(memory && { maxCacheMemoryCapacity: memory }),
    cacheDiskDir: row.cacheDiskDir,
    level: Number(row.level),
    lnAddrs: JSON.parse(row.lnAddrs) as string[],
    enableIPLists: row.enableIPLists === 1n,
    ...(row.cacheDiskSubDirsJSON && { cacheDiskSubDirsJSON: row.cacheDiskSubDirsJSON }),
    ...(row.apiNodeAddrsJSON && { apiNodeAddrsJSON: row.apiNodeAddrsJSON }),
    ...(row.isInstalled === 1n && { installStatus: installStatus(row) }),
  };
}

function capacityOf(text: string): { count: bigint; unit: string } | undefined {
  if (text === "") return undefined;
  const { count, unit } = JSON.parse(text) as { count: number; unit: string };
  return { count: BigInt(count), unit };
}

/** How the installation of a node went; a node that is not installed had none. */
export function installStatus({ isInstalled }: NodeRow) {
  return isInstalled === 1n ? { isFinished: true, isOk: true } : {};
}

/** How to log in to a node, as operations answer it. */
export function loginMessage({ id, name, type, host, port, grantId }: NodeLoginRow) {
  const params = { host, port: Number(port), grantId: Number(grantId) };
  return { id, name, type, params: new TextEncoder().encode(JSON.stringify(params)) };
}
