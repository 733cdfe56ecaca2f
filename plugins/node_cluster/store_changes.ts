import { anyOf, type Db } from "edgehelm";
import type { Query } from "edgehelm/storage";
import { sql } from "kysely";
import type { ConfigColumn } from "./configs.ts";
import type { Tables } from "./store.ts";

/** The columns that both createNodeCluster and updateNodeCluster set. */
export interface ClusterSettings {
  readonly name: string;
  readonly nodeGrantId: bigint;
  readonly installDir: string;
  readonly autoInstallNftables: boolean;
  readonly autoSystemTuning: boolean;
  readonly autoTrimDisks: boolean;
  readonly maxConcurrentReads: number;
  readonly maxConcurrentWrites: number;
}

/** The columns that updateNodeCluster sets. */
export interface ClusterUpdate extends ClusterSettings {
  readonly id: bigint;
  readonly timeZone: string;
  readonly nodeMaxThreads: number;
  readonly autoOpenPorts: boolean;
  readonly autoRemoteStart: boolean;
  /** Null leaves the stored value unchanged. */
  readonly clockJSON: Uint8Array | null;
  /** Null leaves the stored value unchanged. */
  readonly sshParamsJSON: Uint8Array | null;
  /** Null leaves the stored value unchanged. */
  readonly openToJSON: Uint8Array | null;
}

/** Every change that affects the nodes increments the version in the same statement. */
const nextVersion = sql<bigint>`configVersion + 1`;

/** Returns the statements that change clusters. */
export function nodeClusterChanges(db: Db<Tables>) {
  const setReference = (column: "httpCachePolicyId" | "httpFirewallPolicyId") =>
    db.query((q, p: { id: bigint; policyId: bigint }) =>
      q.updateTable("nodeClusters").set({ [column]: p.policyId, configVersion: nextVersion })
        .where("id", "=", p.id).where("state", "=", 1n)
    );
  const setConfig = (column: ConfigColumn): Query<{ id: bigint; json: Uint8Array }, unknown> =>
    db.query((q, p: { id: bigint; json: Uint8Array }) =>
      q.updateTable("nodeClusters").set({ [column]: p.json, configVersion: nextVersion })
        .where("id", "=", p.id).where("state", "=", 1n)
    );

  return {
    insert: db.insert("nodeClusters", [
      "uniqueId",
      "createdAt",
      "name",
      "nodeGrantId",
      "installDir",
      "dnsName",
      "dnsTTL",
      "httpCachePolicyId",
      "httpFirewallPolicyId",
      "autoInstallNftables",
      "autoSystemTuning",
      "autoTrimDisks",
      "maxConcurrentReads",
      "maxConcurrentWrites",
      "globalServerConfigJSON",
      "systemServicesJSON",
      "openToJSON",
    ]),
    update: db.query((q, p: ClusterUpdate) =>
      q.updateTable("nodeClusters").set({
        name: p.name,
        nodeGrantId: p.nodeGrantId,
        installDir: p.installDir,
        timeZone: p.timeZone,
        nodeMaxThreads: p.nodeMaxThreads,
        autoOpenPorts: p.autoOpenPorts,
        autoRemoteStart: p.autoRemoteStart,
        autoInstallNftables: p.autoInstallNftables,
        autoSystemTuning: p.autoSystemTuning,
        autoTrimDisks: p.autoTrimDisks,
        maxConcurrentReads: p.maxConcurrentReads,
        maxConcurrentWrites: p.maxConcurrentWrites,
        clockJSON: sql`coalesce(${p.clockJSON}, clockJSON)`,
        sshParamsJSON: sql`coalesce(${p.sshParamsJSON}, sshParamsJSON)`,
        openToJSON: sql`coalesce(${p.openToJSON}, openToJSON)`,
        configVersion: nextVersion,
      }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    setPolicy: {
      httpCachePolicyId: setReference("httpCachePolicyId"),
      httpFirewallPolicyId: setReference("httpFirewallPolicyId"),
    },
    setConfig: {
      ddosProtectionJSON: setConfig("ddosProtectionJSON"),
      globalServerConfigJSON: setConfig("globalServerConfigJSON"),
      systemServicesJSON: setConfig("systemServicesJSON"),
    },
    setPinned: db.query((q, p: { id: bigint; isPinned: boolean }) =>
      q.updateTable("nodeClusters").set({ isPinned: p.isPinned }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    markChanged: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("nodeClusters").set({ configVersion: nextVersion }).where("id", "in", anyOf(p.ids))
        .where("state", "=", 1n)
    ),
    markAllChanged: db.query((q) =>
      q.updateTable("nodeClusters").set({ configVersion: nextVersion }).where("state", "=", 1n)
    ),
    remove: db.update("nodeClusters", [], { state: 0n }),
  };
}

export type NodeClusterChanges = ReturnType<typeof nodeClusterChanges>;
