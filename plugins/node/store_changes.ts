import { anyOf, type Db } from "edgehelm";
import { sql } from "kysely";
import type { Tables } from "./store_tables.ts";

/** The columns of a new node. */
export interface NewNode {
  readonly uniqueId: string;
  /** The sealed secret. */
  readonly secret: string;
  readonly name: string;
  readonly createdAt: bigint;
  readonly nodeClusterId: bigint;
  readonly nodeRegionId: bigint;
  readonly dnsRoutes: string;
}

/** The columns that updateNode replaces. */
export interface NodeSettings {
  readonly name: string;
  readonly isOn: boolean;
  readonly nodeClusterId: bigint;
  readonly nodeRegionId: bigint;
  readonly level: number;
  readonly lnAddrs: string;
  readonly enableIPLists: boolean;
}

/** The figures of a status that are stored in columns besides its JSON. */
export interface StatusFigures {
  readonly isActive: boolean;
  readonly statusVersion: bigint;
  readonly cpuUsage: number;
  readonly memoryUsage: number;
  readonly load1m: number;
  readonly trafficInBytes: bigint;
  readonly trafficOutBytes: bigint;
  readonly connectionCount: bigint;
}

/** The columns of a login. */
export interface NewLogin {
  readonly nodeId: bigint;
  readonly name: string;
  readonly type: string;
  readonly host: string;
  readonly port: number;
  readonly grantId: bigint;
}

/** Every change of a node's configuration increments the version in the same statement. */
const nextVersion = sql<bigint>`configVersion + 1`;
/** Casts a number to REAL, because a whole JavaScript number is bound as an integer. */
const real = (value: number) => sql<number>`cast(${value} as real)`;

/** Returns the statements that change nodes. */
export function nodeChanges(db: Db<Tables>) {
  const setJSON = (column: "cacheDiskSubDirsJSON" | "apiNodeAddrsJSON" | "ddosProtectionJSON") =>
    db.query((q, p: { id: bigint; json: Uint8Array | null }) =>
      q.updateTable("nodes").set({ [column]: p.json, configVersion: nextVersion }).where("id", "=", p.id)
        .where("state", "=", 1n)
    );

  return {
    insert: db.query((q, p: NewNode) =>
      q.insertInto("nodes").values({
        uniqueId: p.uniqueId,
        secret: p.secret,
        name: p.name,
        createdAt: p.createdAt,
        nodeClusterId: p.nodeClusterId,
        nodeRegionId: p.nodeRegionId,
        dnsRoutes: p.dnsRoutes,
      }).returning("id")
    ),
    update: db.query((q, p: NodeSettings & { id: bigint; configVersion: bigint }) =>
      q.updateTable("nodes").set({
        name: p.name,
        isOn: p.isOn,
        nodeClusterId: p.nodeClusterId,
        nodeRegionId: p.nodeRegionId,
        level: p.level,
        lnAddrs: p.lnAddrs,
        enableIPLists: p.enableIPLists,
        configVersion: p.configVersion,
      }).where("id", "=", p.id)
    ),
    setCluster: db.query((q, p: { id: bigint; nodeClusterId: bigint; configVersion: bigint }) =>
      q.updateTable("nodes").set({ nodeClusterId: p.nodeClusterId, configVersion: p.configVersion })
        .where("id", "=", p.id)
    ),
    setIsOn: db.query((q, p: { id: bigint; isOn: boolean }) =>
      q.updateTable("nodes").set({ isOn: p.isOn, configVersion: nextVersion }).where("id", "=", p.id)
        .where("state", "=", 1n)
    ),
    setUp: db.query((q, p: { id: bigint; isUp: boolean }) =>
      q.updateTable("nodes").set({ isUp: p.isUp }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    setInstalled: db.query((q, p: { id: bigint; isInstalled: boolean }) =>
      q.updateTable("nodes").set({ isInstalled: p.isInstalled }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    setRegion: db.query((q, p: { id: bigint; nodeRegionId: bigint }) =>
      q.updateTable("nodes").set({ nodeRegionId: p.nodeRegionId, configVersion: nextVersion }).where("id", "=", p.id)
        .where("state", "=", 1n)
    ),
    setMaxCPU: db.query((q, p: { id: bigint; maxCPU: number }) =>
      q.updateTable("nodes").set({ maxCPU: p.maxCPU, configVersion: nextVersion }).where("id", "=", p.id)
        .where("state", "=", 1n)
    ),
    /** A null `subDirs` leaves the stored directories unchanged. */
    setCache: db.query((
      q,
      p: { id: bigint; disk: string; memory: string; cacheDiskDir: string; subDirs: Uint8Array | null },
    ) =>
      q.updateTable("nodes").set({
        maxCacheDiskCapacity: p.disk,
        maxCacheMemoryCapacity: p.memory,
        cacheDiskDir: p.cacheDiskDir,
        cacheDiskSubDirsJSON: sql`coalesce(${p.subDirs}, cacheDiskSubDirsJSON)`,
        configVersion: nextVersion,
      }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    setDDoSProtection: setJSON("ddosProtectionJSON"),
    setAPINodeAddrs: setJSON("apiNodeAddrsJSON"),
    setConnectedAPINodes: db.query((q, p: { id: bigint; connectedAPINodeIds: string }) =>
      q.updateTable("nodes").set({ connectedAPINodeIds: p.connectedAPINodeIds }).where("id", "=", p.id)
        .where("state", "=", 1n)
    ),
    setStatus: db.query((q, p: StatusFigures & { id: bigint; statusJSON: Uint8Array; statusUpdatedAt: bigint }) =>
      q.updateTable("nodes").set({
        statusJSON: p.statusJSON,
        statusUpdatedAt: p.statusUpdatedAt,
        statusVersion: p.statusVersion,
        isActive: p.isActive,
        cpuUsage: real(p.cpuUsage),
        memoryUsage: real(p.memoryUsage),
        load1m: real(p.load1m),
        trafficInBytes: p.trafficInBytes,
        trafficOutBytes: p.trafficOutBytes,
        connectionCount: p.connectionCount,
      }).where("id", "=", p.id).where("state", "=", 1n)
    ),
    markChanged: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("nodes").set({ configVersion: nextVersion }).where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
    ),
    // The secret of a deleted node must not stay in the database.
    remove: db.query((q, p: { id: bigint }) =>
      q.updateTable("nodes").set({ state: 0n, secret: "" }).where("id", "=", p.id)
    ),
    addSecondaryCluster: db.query((q, p: { nodeId: bigint; nodeClusterId: bigint; position: number }) =>
      q.insertInto("nodeSecondaryClusters")
        .values({ nodeId: p.nodeId, nodeClusterId: p.nodeClusterId, position: p.position })
    ),
    deleteSecondaryClusters: db.query((q, p: { nodeId: bigint }) =>
      q.deleteFrom("nodeSecondaryClusters").where("nodeId", "=", p.nodeId)
    ),
    setLogin: db.query((q, p: NewLogin) =>
      q.insertInto("nodeLogins").values({
        nodeId: p.nodeId,
        name: p.name,
        type: p.type,
        host: p.host,
        port: p.port,
        grantId: p.grantId,
      }).onConflict((conflict) =>
        conflict.column("nodeId").doUpdateSet({
          name: p.name,
          type: p.type,
          host: p.host,
          port: p.port,
          grantId: p.grantId,
        })
      )
    ),
    deleteLogin: db.query((q, p: { nodeId: bigint }) => q.deleteFrom("nodeLogins").where("nodeId", "=", p.nodeId)),
  };
}

export type NodeChanges = ReturnType<typeof nodeChanges>;
