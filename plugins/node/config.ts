import type { Call } from "edgehelm";
import type { NodeClusterConfig } from "../node_cluster/contract.ts";
import type { NodeConfigPart } from "./contract.ts";
import type { NodeRow } from "./store_tables.ts";

/** What goes into the configuration of a node. */
export interface ConfigSources {
  readonly node: NodeRow;
  readonly version: bigint;
  /** The clusters of the node, the one it belongs to first. */
  readonly clusters: readonly NodeClusterConfig[];
  readonly parts: readonly NodeConfigPart[];
}

/** Everything that a node must know, as JSON text. Parts that are JSON already are put in as they are. */
export async function composeConfig(call: Call, { node, version, clusters, parts }: ConfigSources): Promise<string> {
  const [own] = clusters;
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
    ["maxThreads", String(own?.nodeMaxThreads ?? 0)],
    ["timeZone", JSON.stringify(own?.timeZone ?? "")],
    ["autoOpenPorts", String(own?.autoOpenPorts ?? false)],
    ["autoInstallNftables", String(own?.autoInstallNftables ?? false)],
    ["autoSystemTuning", String(own?.autoSystemTuning ?? false)],
    ["autoTrimDisks", String(own?.autoTrimDisks ?? false)],
    ["maxConcurrentReads", String(own?.maxConcurrentReads ?? 0)],
    ["maxConcurrentWrites", String(own?.maxConcurrentWrites ?? 0)],
    ["maxCacheDiskCapacity", node.maxCacheDiskCapacity || undefined],
    ["maxCacheMemoryCapacity", node.maxCacheMemoryCapacity || undefined],
    ["cacheDiskDir", JSON.stringify(node.cacheDiskDir)],
    ["cacheDiskSubDirs", textOf(node.cacheDiskSubDirsJSON)],
    ["apiNodeAddrs", textOf(node.apiNodeAddrsJSON)],
    ["clock", textOf(own?.clockJSON)],
    ["ddosProtection", ddosProtection(node, own)],
    ["globalServerConfig", textOf(own?.globalServerConfigJSON)],
    ["clusters", `[${clusters.map(clusterText).join(",")}]`],
  ];
  const of = { id: node.id, clusterIds: clusters.map(({ id }) => id) };
  for (const part of parts) members.push([part.name, await part.compose(call, of)]);
  const known = members.filter(([, text]) => text !== undefined);
  return `{${known.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

function clusterText({ id, httpCachePolicyId, httpFirewallPolicyId }: NodeClusterConfig): string {
  return `{"id":${id},"httpCachePolicyId":${httpCachePolicyId},"httpFirewallPolicyId":${httpFirewallPolicyId}}`;
}

/** The node's protection where it says that it goes first, the cluster's otherwise. */
function ddosProtection(node: NodeRow, cluster: NodeClusterConfig | undefined): string | undefined {
  const own = textOf(node.ddosProtectionJSON);
  const goesFirst = own !== undefined && JSON.parse(own).tcp?.isPrior === true;
  return goesFirst ? own : textOf(cluster?.ddosProtectionJSON);
}

function textOf(json: Uint8Array | null | undefined): string | undefined {
  return json ? new TextDecoder().decode(json) : undefined;
}
