import { anyOf, type Db } from "edgehelm";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { Tables } from "./store_tables.ts";

/** The figures of a status that are stored in columns besides its JSON. */
export interface StatusFigures {
  readonly isActive: boolean;
  readonly os: string;
  readonly arch: string;
  readonly buildVersion: string;
  readonly buildVersionCode: bigint;
  readonly statusVersion: bigint;
  readonly cpuUsage: number;
  readonly memoryUsage: number;
  readonly load1m: number;
  readonly trafficInBytes: bigint;
  readonly trafficOutBytes: bigint;
  readonly connectionCount: bigint;
}

/** Every change of a node's configuration increments the version in the same statement. */
const CHANGED = { configVersion: sql<bigint>`configVersion + 1` };

/** Returns the statements that change nodes. */
export function nodeChanges(db: Db<Tables>) {
  return {
    insert: db.insert("nodes", [
      "uniqueId",
      "secret",
      "name",
      "createdAt",
      "nodeClusterId",
      "nodeRegionId",
      "dnsRoutes",
    ]),
    update: db.update("nodes", [
      "name",
      "isOn",
      "nodeClusterId",
      "nodeRegionId",
      "level",
      "lnAddrs",
      "enableIPLists",
      "configVersion",
    ]),
    setCluster: db.update("nodes", ["nodeClusterId", "configVersion"]),
    setIsOn: db.updateLive("nodes", ["isOn"], CHANGED),
    setUp: db.updateLive("nodes", ["isUp"]),
    setInstalled: db.updateLive("nodes", ["isInstalled"]),
    setActive: db.updateLive("nodes", ["isActive"]),
    markInstalled: db.updateLive("nodes", [], { isInstalled: true }),
    setRegion: db.updateLive("nodes", ["nodeRegionId"], CHANGED),
    setMaxCPU: db.updateLive("nodes", ["maxCPU"], CHANGED),
    setCache: db.updateLive(
      "nodes",
      ["maxCacheDiskCapacity", "maxCacheMemoryCapacity", "cacheDiskDir"],
      CHANGED,
      ["cacheDiskSubDirsJSON"],
    ),
    setDDoSProtection: db.updateLive("nodes", ["ddosProtectionJSON"], CHANGED),
    setAPINodeAddrs: db.updateLive("nodes", ["apiNodeAddrsJSON"], CHANGED),
    setConnectedAPINodes: db.updateLive("nodes", ["connectedAPINodeIds"]),
    setStatus: db.updateLive("nodes", [
      "statusJSON",
      "statusUpdatedAt",
      "statusVersion",
      "isActive",
      "os",
      "arch",
      "buildVersion",
      "buildVersionCode",
      "cpuUsage",
      "memoryUsage",
      "load1m",
      "trafficInBytes",
      "trafficOutBytes",
      "connectionCount",
    ]),
    setOfflineTold: db.updateLive("nodes", ["isOfflineTold"]),
    /** Selects nodes that should be active but are not, and whose silence was no event yet. */
    newlySilent: db.query((q, p: { activeSince: bigint; limit: number }) =>
      silent(q, p.activeSince).orderBy("id").limit(p.limit)
    ),
    /** Selects those of some nodes that are silent still. */
    silentOf: db.query((q, p: { activeSince: bigint; ids: readonly bigint[] }) =>
      silent(q, p.activeSince).where("id", "in", anyOf(p.ids))
    ),
    markChanged: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("nodes").set(CHANGED).where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
    ),
    // The secret of a deleted node must not stay in the database.
    remove: db.update("nodes", [], { state: 0n, secret: "" }),
    addSecondaryCluster: db.query((q, p: { nodeId: bigint; nodeClusterId: bigint; position: number }) =>
      q.insertInto("nodeSecondaryClusters")
        .values({ nodeId: p.nodeId, nodeClusterId: p.nodeClusterId, position: p.position })
    ),
    deleteSecondaryClusters: db.query((q, p: { nodeId: bigint }) =>
      q.deleteFrom("nodeSecondaryClusters").where("nodeId", "=", p.nodeId)
    ),
    setLogin: db.put("nodeLogins", ["nodeId"], ["nodeId", "name", "type", "host", "port", "grantId"]),
    deleteLogin: db.query((q, p: { nodeId: bigint }) => q.deleteFrom("nodeLogins").where("nodeId", "=", p.nodeId)),
  };
}

/** Nodes that should be active but are not, and whose silence was no event yet. */
function silent(q: Kysely<Tables>, activeSince: bigint) {
  return q.selectFrom("nodes").select(["id", "name", "nodeClusterId", "statusUpdatedAt"]).where(sql<SqlBool>`state = 1`)
    .where(sql<SqlBool>`isOn = 1`).where(sql<SqlBool>`isInstalled = 1`).where(sql<SqlBool>`isOfflineTold = 0`)
    .where("statusUpdatedAt", ">", 0n)
    .where((e) => e.or([e("isActive", "=", 0n), e("statusUpdatedAt", "<", activeSince)]));
}

export type NodeChanges = ReturnType<typeof nodeChanges>;
