import { type Call, invalid, mayAccessOwner, ownerOf } from "edgehelm";
import type { ClusterAccess } from "../plan/contract.ts";
import { ddosProtectionField, DEFAULTS } from "./configs.ts";
import type {
  ClusterPolicy,
  NestedNodeCluster,
  NodeClusterConfig,
  NodeClusters,
  NodeClusterSummary,
} from "./contract.ts";
import type { NodeClusterRow, NodeClusterStore } from "./store.ts";
import type { NodeClusterChanges } from "./store_changes.ts";

const POLICY_COLUMNS = {
  http_cache_policy: "httpCachePolicyId",
  http_firewall_policy: "httpFirewallPolicyId",
} as const satisfies Record<ClusterPolicy, string>;

/** Implements the contract `NodeClusters`. */
export function nodeClusters(
  clusters: NodeClusterStore,
  changes: NodeClusterChanges,
  access: ClusterAccess,
): NodeClusters {
  return {
    async summaries(call, ids) {
      const rows = ids.length === 0 ? [] : await clusters.summaries.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, summary(row)]));
    },
    async nested(call, ids) {
      const rows = await clusters.ofIds(call, ids);
      const messages = rows.map(async (row) => await visibleCluster(call, access, row) ?? { id: row.id });
      return new Map((await Promise.all(messages)).map((message) => [message.id, message]));
    },
    async requireCluster(call, field, id, userId = 0n) {
      const row = await clusters.openTo.first(call, { id });
      const isOpen = row !== undefined && await access.isOpenTo(call, row, ownerOf(call, userId));
      if (isOpen) return;
      const isHidden = row === undefined || call.caller.role === "user";
      throw invalid(field, `node cluster ${id} ${isHidden ? "does not exist" : `is not open to user ${userId}`}`);
    },
    async isOpenToCaller(call, id) {
      const row = await clusters.openTo.first(call, { id });
      return row !== undefined && await access.isOpenTo(call, row, ownerOf(call, 0n));
    },
    async usingPolicy(call, kind, id) {
      return (await clusters.withReference[POLICY_COLUMNS[kind]].rows.all(call, { id })).map(summary).reverse();
    },
    async policyOf(call, kind, id) {
      return (await clusters.byId.first(call, { id }))?.[POLICY_COLUMNS[kind]] ?? 0n;
    },
    async configChanged(call, ids) {
      if (ids.length > 0) await changes.markChanged.run(call, { ids: [...ids] });
    },
    async configChangedEverywhere(call) {
      await changes.markAllChanged.run(call, {});
    },
    async configVersions(call, ids) {
      const rows = ids.length === 0 ? [] : await clusters.versions.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, row.configVersion]));
    },
    ddosProtectionField,
    async configOf(call, id) {
      const row = await clusters.byId.first(call, { id });
      return row && config(row);
    },
  };
}

function summary({ id, name, isOn }: Pick<NodeClusterRow, "id" | "name" | "isOn">): NodeClusterSummary {
  return { id, name, isOn: isOn === 1n };
}

function config(row: NodeClusterRow): NodeClusterConfig {
  return {
    id: row.id,
    version: row.configVersion,
    httpCachePolicyId: row.httpCachePolicyId,
    httpFirewallPolicyId: row.httpFirewallPolicyId,
    installDir: row.installDir,
    nodeGrantId: row.nodeGrantId,
    timeZone: row.timeZone,
    nodeMaxThreads: Number(row.nodeMaxThreads),
    autoOpenPorts: row.autoOpenPorts === 1n,
    autoInstallNftables: row.autoInstallNftables === 1n,
    autoSystemTuning: row.autoSystemTuning === 1n,
    autoTrimDisks: row.autoTrimDisks === 1n,
    maxConcurrentReads: Number(row.maxConcurrentReads),
    maxConcurrentWrites: Number(row.maxConcurrentWrites),
    clockJSON: row.clockJSON ?? DEFAULTS.clockJSON,
    ddosProtectionJSON: row.ddosProtectionJSON ?? DEFAULTS.ddosProtectionJSON,
    globalServerConfigJSON: row.globalServerConfigJSON ?? DEFAULTS.globalServerConfigJSON,
  };
}

/** Returns a cluster as the caller may see it, or undefined: users see neither its settings nor its secrets. */
export async function visibleCluster(
  call: Call,
  access: ClusterAccess,
  row: NodeClusterRow,
): Promise<NestedNodeCluster | undefined> {
  if (mayAccessOwner(call.caller, 0n)) return clusterMessage(row);
  if (!await access.isOpenTo(call, row, ownerOf(call, 0n))) return undefined;
  return { id: row.id, name: row.name, isOn: row.isOn === 1n, dnsName: row.dnsName };
}

/** Returns a cluster as admins see it. */
export function clusterMessage(row: NodeClusterRow) {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt,
    nodeGrantId: row.nodeGrantId,
    installDir: row.installDir,
    uniqueId: row.uniqueId,
    dnsName: row.dnsName,
    httpCachePolicyId: row.httpCachePolicyId,
    httpFirewallPolicyId: row.httpFirewallPolicyId,
    isOn: row.isOn === 1n,
    timeZone: row.timeZone,
    nodeMaxThreads: Number(row.nodeMaxThreads),
    autoOpenPorts: row.autoOpenPorts === 1n,
    isPinned: row.isPinned === 1n,
    clockJSON: row.clockJSON ?? DEFAULTS.clockJSON,
    autoRemoteStart: row.autoRemoteStart === 1n,
    autoInstallNftables: row.autoInstallNftables === 1n,
    sshParamsJSON: row.sshParamsJSON ?? DEFAULTS.sshParamsJSON,
    autoSystemTuning: row.autoSystemTuning === 1n,
    autoTrimDisks: row.autoTrimDisks === 1n,
    maxConcurrentReads: Number(row.maxConcurrentReads),
    maxConcurrentWrites: Number(row.maxConcurrentWrites),
    ...(row.openToJSON !== null && { openToJSON: row.openToJSON }),
  };
}
