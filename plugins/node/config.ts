import type { Call } from "edgehelm";
import type { NodeClusterConfig } from "../node_cluster/contract.ts";
import type { NodeConfigPart } from "./contract.ts";
import type { NodeRow } from "./store_tables.ts";

/** The data from which the configuration of a node is composed. */
export interface ConfigSources {
  readonly node: NodeRow;
  readonly version: bigint;
  /** The clusters of the node, the primary one first. */
  readonly clusters: readonly NodeClusterConfig[];
  readonly parts: readonly NodeConfigPart[];
}

/** Returns the configuration of a node as JSON text. Values that are stored as JSON are inserted unchanged. */
export async function composeConfig(call: Call, { node, version, clusters, parts }: ConfigSources): Promise<string> {
  const [primary] = clusters;
  const members: [string, string | undefined][] = [
    ["id", String(node.id)],
    ["nodeId", JSON.stringify(node.uniqueId)],
    ["name", JSON.stringify(node.name)],
    ["isOn", String(node.isOn === 1n)],
    ["version", String(version)],
    ["level", String(node.level)],
    ["lnAddrs", node.lnAddrs],
    ["enableIPLists", String(node.enableIPLists === 1n)],
    ["regionId", String(node.nodeRegionId)],
    ["maxCPU", String(node.maxCPU)],
    ["maxThreads", String(primary?.nodeMaxThreads ?? 0)],
    ["timeZone", JSON.stringify(primary?.timeZone ?? "")],
    ["autoOpenPorts", String(primary?.autoOpenPorts ?? false)],
    ["autoInstallNftables", String(primary?.autoInstallNftables ?? false)],
    ["autoSystemTuning", String(primary?.autoSystemTuning ?? false)],
    ["autoTrimDisks", String(primary?.autoTrimDisks ?? false)],
    ["maxConcurrentReads", String(primary?.maxConcurrentReads ?? 0)],
    ["maxConcurrentWrites", String(primary?.maxConcurrentWrites ?? 0)],
    ["maxCacheDiskCapacity", node.maxCacheDiskCapacity || undefined],
    ["maxCacheMemoryCapacity", node.maxCacheMemoryCapacity || undefined],
    ["cacheDiskDir", JSON.stringify(node.cacheDiskDir)],
    ["cacheDiskSubDirs", textOf(node.cacheDiskSubDirsJSON)],
    ["apiNodeAddrs", textOf(node.apiNodeAddrsJSON)],
    ["clock", textOf(primary?.clockJSON)],
    ["ddosProtection", ddosProtection(node, primary)],
    ["globalServerConfig", textOf(primary?.globalServerConfigJSON)],
    ["clusters", `[${clusters.map(clusterText).join(",")}]`],
  ];
  const nodeIds = { id: node.id, clusterIds: clusters.map(({ id }) => id) };
  for (const part of parts) members.push([part.name, await part.compose(call, nodeIds)]);
  const present = members.filter(([, text]) => text !== undefined);
  return `{${present.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

function clusterText({ id, httpCachePolicyId, httpFirewallPolicyId }: NodeClusterConfig): string {
  return `{"id":${id},"httpCachePolicyId":${httpCachePolicyId},"httpFirewallPolicyId":${httpFirewallPolicyId}}`;
}

/** Returns the node's protection if it has priority, otherwise the cluster's. */
function ddosProtection(node: NodeRow, cluster: NodeClusterConfig | undefined): string | undefined {
  const own = textOf(node.ddosProtectionJSON);
  const hasPriority = own !== undefined && JSON.parse(own).tcp?.isPrior === true;
  return hasPriority ? own : textOf(cluster?.ddosProtectionJSON);
}

function textOf(json: Uint8Array | null | undefined): string | undefined {
  return json ? new TextDecoder().decode(json) : undefined;
}
