import { anyOf, type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

/** Where an installation is: none was tried, it waits for its turn, it runs, it ended well or not. */
export type InstallPhase = "" | "waiting" | "running" | "done" | "failed";

export interface Tables {
  nsNodes: {
    id: Generated<bigint>;
    nsClusterId: bigint;
    name: string;
    isOn: DefaultFlag;
    uniqueId: string;
    /** Sealed. */
    secret: string;
    statusJSON: Uint8Array | null;
    /** When the node last reported, by our clock. */
    statusUpdatedAt: Generated<bigint>;
    /** What of the status is searched for. */
    statusIsActive: DefaultFlag;
    os: Generated<string>;
    arch: Generated<string>;
    buildVersionCode: Generated<bigint>;
    isInstalled: DefaultFlag;
    isUp: DefaultFlag;
    /** Whether it is connected or reports; see `isActive` in rules.ts for what counts. */
    isActive: DefaultFlag;
    /** Whether watchers know that it is offline. */
    isOfflineTold: DefaultFlag;
    installDir: Generated<string>;
    /** A JSON list. */
    connectedAPINodeIds: Generated<string>;
    apiNodeAddrsJSON: Uint8Array | null;
    ddosProtectionJSON: Uint8Array | null;
    installPhase: Generated<InstallPhase>;
    installError: Generated<string>;
    installErrorCode: Generated<string>;
    installUpdatedAt: Generated<bigint>;
    /** Rises with every change that the node must learn of. */
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

/** Reading single nodes, and writing. */
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
    setOfflineTold: db.query((q, p: { id: bigint; isOfflineTold: boolean }) =>
      update(q, p.id).set({ isOfflineTold: p.isOfflineTold })
    ),
    /** Nodes that should be active and are not, of which nobody was told. */
    gone: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("nsNodes").select(["id", "name"]).where(isLive).where(sql<SqlBool>`isOn = 1`)
        .where(sql<SqlBool>`isInstalled = 1`).where(sql<SqlBool>`isOfflineTold = 0`)
        .where((e) => e.or([e("isActive", "=", 0n), e("statusIsActive", "=", 0n), e("statusUpdatedAt", "<", p.before)]))
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
    removeLogin: db.query((q, p: { nsNodeId: bigint }) =>
      q.deleteFrom("nsNodeLogins").where("nsNodeId", "=", p.nsNodeId)
    ),
    usingGrant: db.query((q, p: { grantId: bigint; limit: number }) =>
      q.selectFrom("nsNodeLogins").innerJoin("nsNodes", "nsNodes.id", "nsNodeLogins.nsNodeId").select("nsNodes.name")
        .where("grantId", "=", p.grantId).where(isLive).limit(p.limit)
    ),
    usingCluster: db.query((q, p: { nsClusterId: bigint; limit: number }) =>
      q.selectFrom("nsNodes").select("name").where("nsClusterId", "=", p.nsClusterId).where(isLive).limit(p.limit)
    ),
    /** What changes with what nodes must learn of; nodes that are off must learn nothing. */
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
