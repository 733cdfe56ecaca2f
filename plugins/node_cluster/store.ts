import { anyOf, type Db, type DefaultFlag, type Flag, liveRows, rowCount } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { DefaultInt32, Int32 } from "edgehelm/storage";
import type { Generated, Kysely, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  nodeClusters: LiveTable<{
    uniqueId: string;
    name: string;
    isOn: DefaultFlag;
    isPinned: DefaultFlag;
    createdAt: bigint;
    nodeGrantId: bigint;
    installDir: string;
    dnsName: string;
    dnsTTL: Int32;
    httpCachePolicyId: bigint;
    httpFirewallPolicyId: bigint;
    timeZone: Generated<string>;
    nodeMaxThreads: DefaultInt32;
    autoOpenPorts: DefaultFlag;
    autoRemoteStart: DefaultFlag;
    autoInstallNftables: Flag;
    autoSystemTuning: Flag;
    autoTrimDisks: Flag;
    maxConcurrentReads: Int32;
    maxConcurrentWrites: Int32;
    clockJSON: Generated<Uint8Array | null>;
    sshParamsJSON: Generated<Uint8Array | null>;
    ddosProtectionJSON: Generated<Uint8Array | null>;
    globalServerConfigJSON: Uint8Array | null;
    systemServicesJSON: Uint8Array | null;
    /** Null if all users may choose the cluster. */
    openToJSON: Generated<Uint8Array | null>;
    configVersion: Generated<bigint>;
  }>;
}

export type NodeClusterRow = Selectable<Tables["nodeClusters"]>;

/** The columns that reference what a cluster uses. */
export type Reference = "nodeGrantId" | "httpCachePolicyId" | "httpFirewallPolicyId";

const SUMMARY = ["id", "name", "isOn"] as const;

const SEARCH = { contains: ["name", "dnsName"] } as const;

/** Returns the statements that find, list and count clusters. */
export function nodeClusterStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nodeClusters").where("state", "=", 1n);
  const rows = (q: Kysely<Tables>) => live(q).selectAll();
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);
  const newestFirst = (q: Kysely<Tables>) => rows(q).orderBy("id", "desc");
  const referring = (column: Reference) => ({
    rows: db.query((q, p: { id: bigint }) => newestFirst(q).where(column, "=", p.id)),
    some: db.query((q, p: { id: bigint; limit: number }) => newestFirst(q).where(column, "=", p.id).limit(p.limit)),
    count: db.query((q, p: { id: bigint }) => countLive(q).where(column, "=", p.id)),
  });

  return {
    ...liveRows(db, "nodeClusters", errors.not_found),
    byDNSName: db.query((q, p: { dnsName: string }) =>
      live(q).select("id").where("dnsName", "=", p.dnsName).where("dnsName", "!=", "")
    ),
    summaries: db.query((q, p: { ids: bigint[] }) => live(q).select(SUMMARY).where("id", "in", anyOf(p.ids))),
    openTo: db.query((q, p: { id: bigint }) => live(q).select("openToJSON").where("id", "=", p.id)),
    versions: db.query((q, p: { ids: bigint[] }) =>
      live(q).select(["id", "configVersion"]).where("id", "in", anyOf(p.ids))
    ),
    lists: {
      pinnedFirst: rowList(db, "nodeClusters", { ...SEARCH, order: { isPinned: "desc", id: "desc" } }),
      newestFirst: rowList(db, "nodeClusters", { ...SEARCH, order: { id: "desc" } }),
      oldestFirst: rowList(db, "nodeClusters", { ...SEARCH, order: { id: "asc" } }),
    },
    withReference: {
      nodeGrantId: referring("nodeGrantId"),
      httpCachePolicyId: referring("httpCachePolicyId"),
      httpFirewallPolicyId: referring("httpFirewallPolicyId"),
    },
  };
}

export type NodeClusterStore = ReturnType<typeof nodeClusterStore>;
