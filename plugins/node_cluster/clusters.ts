import { type Call, invalid, mayAccessOwner } from "edgehelm";
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
export function nodeClusters(clusters: NodeClusterStore, changes: NodeClusterChanges): NodeClusters {
  return {
    async summaries(call, ids) {
      const rows = ids.length === 0 ? [] : await clusters.summaries.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, summary(row)]));
    },
    async nested(call, ids) {
      const rows = ids.length === 0 ? [] : await clusters.byIds.all(call, { ids });
      return new Map(rows.map((row) => [row.id, visibleCluster(call, row)]));
    },
    async requireCluster(call, field, id) {
      const [row] = await clusters.summaries.all(call, { ids: [id] });
      if (row === undefined) throw invalid(field, `node cluster ${id} does not exist`);
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

/** Returns a cluster as the caller may see it: users see neither its settings nor its secrets. */
export function visibleCluster(call: Call, row: NodeClusterRow): NestedNodeCluster {
  if (mayAccessOwner(call.caller, 0n)) return clusterMessage(row);
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
  };
}
