import { anyOf, type Call, type Db, type DefaultFlag, ownedRows } from "edgehelm";
import { type LiveTable, ownedCount } from "edgehelm/rows";
import { declareList } from "edgehelm/storage";
import { type Insertable, type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";
import type { Family, ServerType } from "./rules.ts";
import { errors } from "./errors.ts";

export interface Tables {
  servers: LiveTable<{
    userId: bigint;
    nodeClusterId: bigint;
    userPlanId: bigint;
    type: ServerType;
    family: Family;
    name: string;
    description: string;
    isOn: DefaultFlag;
    /** 1 if an admin turned the server off, and its owner cannot turn it on. */
    isOffByAdmin: DefaultFlag;
    countServerNames: bigint;
    firstServerName: string;
    webId: bigint;
    reverseProxyId: bigint;
    createdAt: bigint;
    version: bigint;
    /** Name, description and server names in lower case, for keyword searches. */
    searchText: string;
    serverNamesJSON: Uint8Array;
    httpJSON: Uint8Array;
    httpsJSON: Uint8Array;
    tcpJSON: Uint8Array;
    tlsJSON: Uint8Array;
    udpJSON: Uint8Array;
    reverseProxyJSON: Uint8Array;
    includeNodesJSON: Uint8Array;
    excludeNodesJSON: Uint8Array;
  }>;
  serverNames: { nodeClusterId: bigint; name: string; serverId: bigint };
  serverForbiddenNames: { reversedName: string; serverId: bigint };
  serverNameProofs: { userId: bigint; name: string; value: string; expiresAt: bigint };
  serverVersions: { id: bigint; version: bigint };
  /** Kept by triggers from the listen settings of servers. */
  serverPorts: {
    nodeClusterId: bigint;
    transport: string;
    minPort: bigint;
    maxPort: bigint;
    protocol: string;
    serverId: bigint;
  };
  /** Servers whose references have not been reviewed since the migration that fills the table. */
  serverReviews: { serverId: bigint };
  /** The clusters that servers left, and when. */
  serverDepartures: { serverId: bigint; nodeClusterId: bigint; leftAt: bigint };
}

export type ServerRow = Selectable<Tables["servers"]>;
export type NewServer = Omit<
  Insertable<Tables["servers"]>,
  "id" | "isOn" | "isOffByAdmin" | "state" | "version" | "searchText"
>;

/** The ports that a server is to listen on. */
export interface PortRange {
  readonly nodeClusterId: bigint;
  readonly transport: "tcp" | "udp";
  readonly protocol: string;
  readonly minPort: bigint;
  readonly maxPort: bigint;
  readonly exceptServerId: bigint;
}

type Changes = Partial<NewServer> & { isOn?: boolean; isOffByAdmin?: boolean; searchText?: string };

export const serverList = declareList({
  table: "servers",
  softDeletion: "state",
  scopes: ["userId", "nodeClusterId", "userPlanId"],
  choices: ["family"],
  search: ["searchText"],
});
export type ServerList = ReturnType<typeof serverList.open<Tables>>;

/** A literal, because SQLite would not use the partial indexes of live rows with a parameter. */
export const isLive = sql<SqlBool>`servers.state = 1`;
const SUMMARY = ["id", "name", "userId", "nodeClusterId", "userPlanId"] as const;
const PLACEMENT = [...SUMMARY, "includeNodesJSON", "excludeNodesJSON"] as const;
/** The same expression as in the index. */
const hasIncludedNodes = sql<SqlBool>`length(includeNodesJSON) > 2`;

const nameCount = sql<bigint>`coalesce(sum(countServerNames), 0)`.as("count");

/** The SQL statements of this plugin, except those of the list. Servers of user 0 belong to the installation. */
export function serverStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("servers").where(isLive);
  const proxies = (q: Kysely<Tables>, ids: readonly bigint[]) =>
    q.selectFrom(sql<{ value: bigint }>`json_each(${ids})`.as("proxy")).select("proxy.value as reverseProxyId");
  /** Looks up one site in the index, however many use the proxy. */
  const usedBy = (owner: RawBuilder<unknown>) =>
    sql<SqlBool>`exists (select 1 from servers where state = 1 and reverseProxyId <> 0
      and reverseProxyId = proxy.value and userId ${owner})`;
  const incrementVersion = db.query((q, p: { count: number }) =>
    q.updateTable("serverVersions").set({ version: sql`version + ${p.count}` }).where("id", "=", 1n).returning(
      "version",
    )
  );
  const setVersions = db.query((q, p: { ids: readonly bigint[]; version: bigint }) =>
    q.updateTable("servers").set({ version: p.version }).where("id", "in", anyOf(p.ids)).where(isLive)
  );
  const setRemoved = db.query((q, p: { ids: readonly bigint[]; version: bigint }) =>
    q.updateTable("servers").set({ state: 0n, version: p.version }).where("id", "in", anyOf(p.ids)).where(isLive)
  );
  const allocateVersion = async (call: Call) => (await incrementVersion.one(call, { count: 1 })).version;

  return {
    ...ownedRows(db, "servers", errors.not_found),
    countOfUser: ownedCount(db, "servers"),
    /** Selects a server of the cluster that keeps ports from the server: sites share ports of HTTP, and of HTTPS. */
    portHolder: db.query((q, p: PortRange) =>
      q.selectFrom("serverPorts").select(["serverId", "minPort", "maxPort"])
        .where("nodeClusterId", "=", p.nodeClusterId).where("transport", "=", p.transport)
        .where("maxPort", ">=", p.minPort).where("minPort", "<=", p.maxPort).where("serverId", "<>", p.exceptServerId)
        .where(sql<SqlBool>`not (protocol = ${p.protocol} and protocol in ('http', 'https'))`).limit(sql.lit(1))
    ),
    byIds: db.query((q, p: { ids: readonly bigint[] }) => live(q).select(PLACEMENT).where("id", "in", anyOf(p.ids))),
    clustersOfUser: db.query((q, p: { userId: bigint }) =>
      live(q).select("nodeClusterId").distinct().where("userId", "=", p.userId)
        .where(sql<SqlBool>`userId <> 0 and nodeClusterId <> 0`)
    ),
    includedNodesOfUser: db.query((q, p: { userId: bigint }) =>
      live(q).select("includeNodesJSON").where(hasIncludedNodes).where("userId", "=", p.userId)
    ),
    onOfCluster: db.query((q, p: { nodeClusterId: bigint; after: bigint; limit: number }) =>
      live(q).selectAll().where("nodeClusterId", "=", p.nodeClusterId).where("id", ">", p.after)
        .where(sql<SqlBool>`+isOn = 1`).orderBy("id").limit(p.limit)
    ),
    /** Selects servers that are turned on and include nodes of other clusters. */
    onWithIncludedNodes: db.query((q, p: { after: bigint; limit: number }) =>
      live(q).selectAll().where(hasIncludedNodes).where("id", ">", p.after).where(sql<SqlBool>`+isOn = 1`).orderBy("id")
        .limit(p.limit)
    ),
    idsOfUser: db.query((q, p: { userId: bigint; afterId: bigint; limit: number }) =>
      live(q).select("id").where("userId", "=", p.userId).where("id", ">", p.afterId).orderBy("id").limit(p.limit)
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      live(q).select("id").where("userId", "=", p.userId).limit(p.limit)
    ),
    ofUserPlan: db.query((q, p: { userPlanId: bigint }) =>
      live(q).select([...SUMMARY, "countServerNames"]).where("userPlanId", "=", p.userPlanId).where(
        sql<SqlBool>`userPlanId <> 0`,
      ).orderBy("id")
    ),
    ofProxy: db.query((q, p: { id: bigint; limit: number }) =>
      live(q).select(SUMMARY).where("reverseProxyId", "=", p.id).where(sql<SqlBool>`reverseProxyId <> 0`).orderBy("id")
        .limit(p.limit)
    ),
    proxiesOfUser: db.query((q, p: { ids: readonly bigint[]; userId: bigint }) =>
      proxies(q, p.ids).where(usedBy(sql`= ${p.userId}`))
    ),
    proxiesOfOthers: db.query((q, p: { ids: readonly bigint[]; userId: bigint }) =>
      proxies(q, p.ids).where((e) => e.or([usedBy(sql`< ${p.userId}`), usedBy(sql`> ${p.userId}`)]))
    ),
    nextReview: db.query((q) => q.selectFrom("serverReviews").select("serverId").orderBy("serverId").limit(1)),
    endReview: db.query((q, p: { id: bigint }) => q.deleteFrom("serverReviews").where("serverId", "=", p.id)),
    placementsOfProxies: db.query((q, p: { ids: readonly bigint[] }) =>
      live(q).select(["reverseProxyId", "nodeClusterId", "includeNodesJSON", "excludeNodesJSON"]).distinct()
        .where("reverseProxyId", "in", anyOf(p.ids)).where(sql<SqlBool>`reverseProxyId <> 0`)
    ),
    ofCluster: db.query((q, p: { id: bigint; limit: number }) =>
      live(q).select("name").where("nodeClusterId", "=", p.id).orderBy("id").limit(p.limit)
    ),
    /** Selects which of the names are used by servers of the cluster. */
    usedNames: db.query((q, p: { nodeClusterId: bigint; names: readonly string[] }) =>
      q.selectFrom("serverNames").select(["name", "serverId"]).where("nodeClusterId", "=", p.nodeClusterId)
        .where("name", "in", anyOf(p.names))
    ),
    namesOf: db.query((q, p: { id: bigint }) =>
      q.selectFrom("serverNames").select("name").where("serverId", "=", p.id).orderBy("name")
    ),
    countAll: db.query((q) => live(q).select((e) => e.fn.countAll<bigint>().as("count"))),
    countNames: db.query((q, p: { userId: bigint }) => live(q).select(nameCount).where("userId", "=", p.userId)),
    countNamesOfPlan: db.query((q, p: { userId: bigint; userPlanId: bigint }) =>
      live(q).select(nameCount).where("userPlanId", "=", p.userPlanId)
        .where(sql<SqlBool>`userPlanId <> 0 and +userId = ${p.userId}`)
    ),
    namesOfUser: db.query((q, p: { userId: bigint; limit: bigint }) =>
      live(q).innerJoin("serverNames", "serverNames.serverId", "servers.id").select("serverNames.name")
        .where("servers.userId", "=", p.userId).orderBy("servers.id").orderBy("serverNames.name").limit(p.limit)
    ),
    addNames: db.query((q, p: { nodeClusterId: bigint; serverId: bigint; names: readonly string[] }) =>
      q.insertInto("serverNames").columns(["nodeClusterId", "name", "serverId"]).expression((e) =>
        e.selectFrom(sql<{ value: string }>`json_each(${p.names})`.as("item")).select([
          sql<bigint>`${p.nodeClusterId}`.as("nodeClusterId"),
          "item.value as name",
          sql<bigint>`${p.serverId}`.as("serverId"),
        ])
      )
    ),
    dropNames: db.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom("serverNames").where("serverId", "in", anyOf(p.ids))
    ),
    departures: db.query((q, p: { serverIds: readonly bigint[]; nodeClusterIds: readonly bigint[] }) =>
      q.selectFrom("serverDepartures").select("serverId").select((e) => e.fn.max("leftAt").as("leftAt"))
        .where("serverId", "in", anyOf(p.serverIds)).where("nodeClusterId", "in", anyOf(p.nodeClusterIds))
        .groupBy("serverId")
    ),
    addDeparture: db.query((q, p: { serverId: bigint; nodeClusterId: bigint; leftAt: bigint }) =>
      q.insertInto("serverDepartures")
        .values({ serverId: p.serverId, nodeClusterId: p.nodeClusterId, leftAt: p.leftAt })
        .onConflict((conflict) => conflict.columns(["serverId", "nodeClusterId"]).doUpdateSet({ leftAt: p.leftAt }))
    ),
    dropDepartures: db.query((q, p: { before: bigint }) =>
      q.deleteFrom("serverDepartures").where(sql<SqlBool>`(serverId, nodeClusterId) in (
        select serverId, nodeClusterId from serverDepartures where leftAt < ${p.before} limit 1000)`)
    ),

    async insert(call: Call, server: NewServer, names: readonly string[]): Promise<bigint> {
      const searchText = searchTextOf(server, names);
      const row = { ...server, searchText, version: await allocateVersion(call) };
      return (await db(call).insertInto("servers").values(row).returning("id").executeTakeFirstOrThrow()).id;
    },
    /** Changes some columns of a server and assigns the next version. */
    async change(call: Call, { id }: ServerRow, changes: Changes) {
      const set = { ...changes, version: await allocateVersion(call) };
      await db(call).updateTable("servers").set(set).where("id", "=", id).execute();
    },
    async touch(call: Call, ids: readonly bigint[]): Promise<void> {
      await setVersions.run(call, { ids, version: await allocateVersion(call) });
    },
    async remove(call: Call, ids: readonly bigint[]): Promise<void> {
      await setRemoved.run(call, { ids, version: await allocateVersion(call) });
      await this.dropNames.run(call, { ids });
    },
  };
}

export type ServerStore = ReturnType<typeof serverStore>;

/** Returns the text that keyword searches match. */
export function searchTextOf(server: { name: string; description: string }, names: readonly string[]): string {
  return [server.name, server.description, ...names].join("\n").toLowerCase();
}
