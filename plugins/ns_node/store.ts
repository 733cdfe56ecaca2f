import { anyOf, type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

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
const MAX_ACTIVE = 1000;
const CHANGED = { configVersion: sql<bigint>`configVersion + 1` };
const LOGIN = ["name", "type", "params", "grantId"] as const;

/** Returns the statements that find single nodes and change nodes. */
export function nsNodeStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nsNodes").selectAll().where(isLive);

  return {
    ...liveRows(db, "nsNodes", errors.not_found),
    insert: db.insert("nsNodes", ["nsClusterId", "name", "uniqueId", "secret", "createdAt"]),
    byUniqueId: db.query((q, p: { uniqueId: string }) => live(q).where("uniqueId", "=", p.uniqueId)),
    update: db.updateLive("nsNodes", ["name", "nsClusterId", "isOn"], CHANGED),
    setStatus: db.updateLive("nsNodes", [
      "statusJSON",
      "statusUpdatedAt",
      "statusIsActive",
      "isActive",
      "isUp",
      "os",
      "arch",
      "buildVersionCode",
    ]),
    setActive: db.updateLive("nsNodes", ["isActive"]),
    setOfflineNotified: db.updateLive("nsNodes", ["isOfflineTold"]),
    /** Finds nodes that should be active but are not, and of which the watchers were not notified. */
    newlyInactive: db.query((q, p: { activeSince: bigint; limit: number }) =>
      q.selectFrom("nsNodes").select(["id", "name"]).where(isLive).where(sql<SqlBool>`isOn = 1`)
        .where(sql<SqlBool>`isInstalled = 1`).where(sql<SqlBool>`isOfflineTold = 0`)
        .where((e) =>
          e.or([e("isActive", "=", 0n), e("statusIsActive", "=", 0n), e("statusUpdatedAt", "<", p.activeSince)])
        )
        .orderBy("id").limit(p.limit)
    ),
    setInstalled: db.updateLive("nsNodes", ["isInstalled"]),
    markInstalled: db.updateLive("nsNodes", [], { isInstalled: true }),
    setConnectedAPINodes: db.updateLive("nsNodes", ["connectedAPINodeIds"]),
    setAPINodeAddrs: db.updateLive("nsNodes", ["apiNodeAddrsJSON"], CHANGED),
    setDDoSProtection: db.updateLive("nsNodes", ["ddosProtectionJSON"], CHANGED),
    remove: db.updateLive("nsNodes", [], { ...CHANGED, state: 0n, isActive: false }),

    loginOf: db.query((q, p: { nsNodeId: bigint }) =>
      q.selectFrom("nsNodeLogins").selectAll().where("nsNodeId", "=", p.nsNodeId)
    ),
    insertLogin: db.insert("nsNodeLogins", [...LOGIN, "nsNodeId"]),
    updateLogin: db.update("nsNodeLogins", LOGIN),
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
    /** Finds the active nodes of a cluster, as `isActive` in rules.ts defines them, that are on. */
    activeOfCluster: db.query((q, p: { nsClusterId: bigint; activeSince: bigint }) =>
      q.selectFrom("nsNodes").select("id").where("nsClusterId", "=", p.nsClusterId).where(isLive)
        .where(sql<SqlBool>`isOn = 1`).where(sql<SqlBool>`isActive = 1`).where(sql<SqlBool>`statusIsActive = 1`)
        .where("statusUpdatedAt", ">=", p.activeSince).orderBy("id").limit(sql.lit(MAX_ACTIVE))
    ),
    names: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("nsNodes").select(["id", "name"]).where("id", "in", anyOf(p.ids)).where(isLive)
    ),
    idsOfCluster: db.query((q, p: { nsClusterId: bigint }) =>
      q.selectFrom("nsNodes").select("id").where("nsClusterId", "=", p.nsClusterId).where(isLive)
    ),
  };
}

export type NSNodeStore = ReturnType<typeof nsNodeStore>;
