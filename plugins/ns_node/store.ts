import { anyOf, type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

/** The phase of an installation; empty when none was attempted. */
export type InstallPhase = "" | "waiting" | "running" | "done" | "failed";

export interface Tables {
  nsNodes: {
    id: Generated<bigint>;
    nsClusterId: bigint;
    name: string;
    isOn: DefaultFlag;
    uniqueId: string;
    /** The sealed secret. */
    secret: string;
    statusJSON: Uint8Array | null;
    /** The time of the last report, by the clock of the server. */
    statusUpdatedAt: Generated<bigint>;
    /** The fields of the status that are searched: this one and the three below. */
    statusIsActive: DefaultFlag;
    os: Generated<string>;
    arch: Generated<string>;
    buildVersionCode: Generated<bigint>;
    isInstalled: DefaultFlag;
    isUp: DefaultFlag;
    /** True when the node is connected or reports; `isActive` in rules.ts takes the time into account, too. */
    isActive: DefaultFlag;
    /** True when the watchers were notified that the node is offline. */
    isOfflineTold: DefaultFlag;
    installDir: Generated<string>;
    /** A JSON array. */
    connectedAPINodeIds: Generated<string>;
    apiNodeAddrsJSON: Uint8Array | null;
    ddosProtectionJSON: Uint8Array | null;
    installPhase: Generated<InstallPhase>;
    installError: Generated<string>;
    installErrorCode: Generated<string>;
    installUpdatedAt: Generated<bigint>;
    /** Increases with every change that affects the node. */
    configVersion: Generated<bigint>;
    createdAt: bigint;
    state: Generated<bigint>;
  };
  nsNodeLogins: {
    id: Generated<bigint>;
    nsNodeId: bigint;
    name: string;
    type: string;
    params: Uint8Array;
    grantId: bigint;
  };
}

export type NSNodeRow = Selectable<Tables["nsNodes"]>;
export type NSNodeLoginRow = Selectable<Tables["nsNodeLogins"]>;

export const isLive = sql<SqlBool>`nsNodes.state = 1`;
const nextVersion = sql<bigint>`configVersion + 1`;

/** Returns the statements that find single nodes and change nodes. */
export function nsNodeStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nsNodes").selectAll().where(isLive);
  const update = (q: Kysely<Tables>, id: bigint) => q.updateTable("nsNodes").where("id", "=", id).where(isLive);

  return {
    ...liveRows(db, "nsNodes", errors.not_found),
    insert: db.query((
      q,
      p: Pick<NSNodeRow, "nsClusterId" | "name" | "uniqueId" | "secret" | "createdAt">,
    ) =>
      q.insertInto("nsNodes").values({
        nsClusterId: p.nsClusterId,
        name: p.name,
        uniqueId: p.uniqueId,
        secret: p.secret,
        createdAt: p.createdAt,
      }).returning("id")
    ),
    byUniqueId: db.query((q, p: { uniqueId: string }) => live(q).where("uniqueId", "=", p.uniqueId)),
    update: db.query((q, p: { id: bigint; name: string; nsClusterId: bigint; isOn: boolean }) =>
      update(q, p.id).set({ name: p.name, nsClusterId: p.nsClusterId, isOn: p.isOn, configVersion: nextVersion })
    ),
    setStatus: db.query((
      q,
      p: Pick<NSNodeRow, "id" | "statusJSON" | "statusUpdatedAt" | "os" | "arch" | "buildVersionCode"> & {
        isActive: boolean;
      },
    ) =>
      update(q, p.id).set({
        statusJSON: p.statusJSON,
        statusUpdatedAt: p.statusUpdatedAt,
        statusIsActive: p.isActive,
        isActive: p.isActive,
        isUp: p.isActive,
        os: p.os,
        arch: p.arch,
        buildVersionCode: p.buildVersionCode,
      })
    ),
    setActive: db.query((q, p: { id: bigint; isActive: boolean }) => update(q, p.id).set({ isActive: p.isActive })),
    setOfflineNotified: db.query((q, p: { id: bigint; isOfflineTold: boolean }) =>
      update(q, p.id).set({ isOfflineTold: p.isOfflineTold })
    ),
    /** Finds nodes that should be active but are not, and of which the watchers were not notified. */
    newlyInactive: db.query((q, p: { activeSince: bigint; limit: number }) =>
      q.selectFrom("nsNodes").select(["id", "name"]).where(isLive).where(sql<SqlBool>`isOn = 1`)
        .where(sql<SqlBool>`isInstalled = 1`).where(sql<SqlBool>`isOfflineTold = 0`)
        .where((e) =>
          e.or([e("isActive", "=", 0n), e("statusIsActive", "=", 0n), e("statusUpdatedAt", "<", p.activeSince)])
        )
        .orderBy("id").limit(p.limit)
    ),
    setInstalled: db.query((q, p: { id: bigint; isInstalled: boolean }) =>
      update(q, p.id).set({
        isInstalled: p.isInstalled,
        installPhase: "",
        installError: "",
        installErrorCode: "",
        installUpdatedAt: 0n,
      })
    ),
    setInstallPhase: db.query((
      q,
      p: Pick<NSNodeRow, "id" | "installPhase" | "installError" | "installErrorCode" | "installUpdatedAt">,
    ) =>
      update(q, p.id).set({
        installPhase: p.installPhase,
        installError: p.installError,
        installErrorCode: p.installErrorCode,
        installUpdatedAt: p.installUpdatedAt,
      })
    ),
    markInstalled: db.query((q, p: { id: bigint }) => update(q, p.id).set({ isInstalled: true })),
    nextWaiting: db.query((q) => live(q).where(sql<SqlBool>`installPhase = 'waiting'`).orderBy("id").limit(sql.lit(1))),
    setConnectedAPINodes: db.query((q, p: { id: bigint; ids: string }) =>
      update(q, p.id).set({ connectedAPINodeIds: p.ids })
    ),
    setAPINodeAddrs: db.query((q, p: { id: bigint; json: Uint8Array | null }) =>
      update(q, p.id).set({ apiNodeAddrsJSON: p.json, configVersion: nextVersion })
    ),
    setDDoSProtection: db.query((q, p: { id: bigint; json: Uint8Array }) =>
      update(q, p.id).set({ ddosProtectionJSON: p.json, configVersion: nextVersion })
    ),
    remove: db.query((q, p: { id: bigint }) =>
      update(q, p.id).set({ state: 0n, isActive: false, configVersion: nextVersion })
    ),

    loginOf: db.query((q, p: { nsNodeId: bigint }) =>
      q.selectFrom("nsNodeLogins").selectAll().where("nsNodeId", "=", p.nsNodeId)
    ),
    insertLogin: db.query((q, p: Omit<NSNodeLoginRow, "id">) =>
      q.insertInto("nsNodeLogins").values({
        nsNodeId: p.nsNodeId,
        name: p.name,
        type: p.type,
        params: p.params,
        grantId: p.grantId,
      })
    ),
    updateLogin: db.query((q, p: NSNodeLoginRow) =>
      q.updateTable("nsNodeLogins").set({ name: p.name, type: p.type, params: p.params, grantId: p.grantId })
        .where("id", "=", p.id)
    ),
    deleteLogin: db.query((q, p: { nsNodeId: bigint }) =>
      q.deleteFrom("nsNodeLogins").where("nsNodeId", "=", p.nsNodeId)
    ),
    usingGrant: db.query((q, p: { grantId: bigint; limit: number }) =>
      q.selectFrom("nsNodeLogins").innerJoin("nsNodes", "nsNodes.id", "nsNodeLogins.nsNodeId").select("nsNodes.name")
        .where("grantId", "=", p.grantId).where(isLive).limit(p.limit)
    ),
    usingCluster: db.query((q, p: { nsClusterId: bigint; limit: number }) =>
      q.selectFrom("nsNodes").select("name").where("nsClusterId", "=", p.nsClusterId).where(isLive).limit(p.limit)
    ),
    /** Finds the configuration versions of nodes that are on; the others are not notified of changes. */
    versions: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nsNodes").select(["id", "nsClusterId", "configVersion"]).where("id", "in", anyOf(p.ids))
        .where(isLive).where(sql<SqlBool>`isOn = 1`)
    ),
    idsOfCluster: db.query((q, p: { nsClusterId: bigint }) =>
      q.selectFrom("nsNodes").select("id").where("nsClusterId", "=", p.nsClusterId).where(isLive)
    ),
  };
}

export type NSNodeStore = ReturnType<typeof nsNodeStore>;
