import { type Call, type Clock, distinct, unixSeconds } from "edgehelm";
import { connectedIds } from "../node_base/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { type InstallStatus, type ProgramInstaller, statusWithout } from "../node_installation/contract.ts";
import type { NodeRegions } from "../node_region/contract.ts";
import type { NodeAddressSource } from "./contract.ts";
import { isActive } from "./status.ts";
import type { NodeStore } from "./store.ts";
import type { NodeLoginRow, NodeRow } from "./store_tables.ts";

/** The dependencies of {@link nodeMessages}. */
export interface MessageDeps {
  readonly nodes: NodeStore;
  readonly clusters: NodeClusters;
  readonly regions: NodeRegions | undefined;
  readonly addressSources: readonly NodeAddressSource[];
  /** Undefined in installations that do not install programs. */
  readonly installer: ProgramInstaller | undefined;
  readonly clock: Clock;
}

/** Returns the ids of the secondary clusters of nodes, in order, by node id. */
export async function secondaryClusters(
  call: Call,
  nodes: NodeStore,
  nodeIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly bigint[]>> {
  const rows = nodeIds.length === 0 ? [] : await nodes.secondaryClusters.all(call, { nodeIds: [...nodeIds] });
  const byNode = Map.groupBy(rows, ({ nodeId }) => nodeId);
  return new Map([...byNode].map(([nodeId, rows]) => [nodeId, rows.map(({ nodeClusterId }) => nodeClusterId)]));
}

/** Returns the version of a node's configuration, which counts the changes of the node and of its clusters. */
export function latestVersion(
  { configVersion }: NodeRow,
  clusterIds: readonly bigint[],
  versions: ReadonlyMap<bigint, bigint>,
): bigint {
  return clusterIds.reduce((sum, id) => sum + (versions.get(id) ?? 0n), configVersion);
}

/** Returns nodes with their clusters, regions and addresses as operations return them, without secrets and logins. */
export async function nodeMessages(
  call: Call,
  { nodes, clusters, regions, addressSources, installer, clock }: MessageDeps,
  rows: readonly NodeRow[],
) {
  const ids = rows.map(({ id }) => id);
  const secondary = await secondaryClusters(call, nodes, ids);
  const clusterIds = distinct([...rows.map(({ nodeClusterId }) => nodeClusterId), ...[...secondary.values()].flat()]);
  const clusterOf = await clusters.nested(call, clusterIds);
  const versions = await clusters.configVersions(call, clusterIds);
  const regionIds = distinct(rows.map(({ nodeRegionId }) => nodeRegionId)).filter((id) => id > 0n);
  const regionOf = regionIds.length === 0 ? undefined : await regions?.nested(call, regionIds);
  const addressMaps = ids.length === 0
    ? []
    : await Promise.all(addressSources.map((source) => source.ofNodes(call, ids)));
  const statuses = await installer?.statuses(call, ids);
  const now = unixSeconds(clock);
  return rows.map((row) => {
    const secondaryIds = secondary.get(row.id) ?? [];
    const nodeCluster = clusterOf.get(row.nodeClusterId);
    const nodeRegion = regionOf?.get(row.nodeRegionId);
    return {
      ...ownFields(row),
      ...installStatusOf(row, statuses?.get(row.id)),
      isActive: isActive(row, now),
      latestVersion: latestVersion(row, [row.nodeClusterId, ...secondaryIds], versions),
      ipAddresses: addressMaps.flatMap((addresses) => addresses.get(row.id) ?? []),
      secondaryNodeClusters: secondaryIds.flatMap((id) => clusterOf.get(id) ?? []),
      ...(nodeCluster && { nodeCluster }),
      ...(nodeRegion && { nodeRegion }),
    };
  });
}

/** Returns what users see of nodes: those that are on, with the addresses at which visitors reach them. */
export async function messagesToUsers(call: Call, sources: readonly NodeAddressSource[], rows: readonly NodeRow[]) {
  const on = rows.filter(({ isOn }) => isOn === 1n);
  const ids = on.map(({ id }) => id);
  const maps = ids.length === 0 ? [] : await Promise.all(sources.map((source) => source.ofNodes(call, ids)));
  return on.map(({ id, name, isUp }) => {
    const addresses = maps.flatMap((addresses) => addresses.get(id) ?? []).filter((at) => at.isOn && at.canAccess);
    const ipAddresses = addresses.map(({ id: addressId = 0n, ip = "", isUp = false }) => ({
      ...{ id: addressId, ip, isUp, nodeId: id, isOn: true, canAccess: true },
    }));
    return { id, name, isOn: true, isUp: isUp === 1n, ipAddresses };
  });
}

function ownFields(row: NodeRow) {
  const disk = capacityOf(row.maxCacheDiskCapacity);
  const memory = capacityOf(row.maxCacheMemoryCapacity);
  return {
    id: row.id,
    name: row.name,
    ...(row.statusJSON && { statusJSON: row.statusJSON }),
    isInstalled: row.isInstalled === 1n,
    uniqueId: row.uniqueId,
    version: row.statusVersion,
    connectedAPINodeIds: connectedIds(row.connectedAPINodeIds),
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
  };
}

function capacityOf(text: string): { count: bigint; unit: string } | undefined {
  if (text === "") return undefined;
  const { count, unit } = JSON.parse(text) as { count: number; unit: string };
  return { count: BigInt(count), unit };
}

function installStatusOf({ isInstalled }: NodeRow, status: InstallStatus | undefined) {
  if (status !== undefined) return { installStatus: status };
  return isInstalled === 1n ? { installStatus: statusWithout(true) } : {};
}

/** Returns the login of a node as operations return it. */
export function loginMessage({ id, name, type, host, port, grantId }: NodeLoginRow) {
  const params = { host, port: Number(port), grantId: Number(grantId) };
  return { id, name, type, params: new TextEncoder().encode(JSON.stringify(params)) };
}
