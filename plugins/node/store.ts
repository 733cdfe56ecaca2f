import { anyOf, type Db, liveRows, type Page, rowCount } from "edgehelm";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./store_tables.ts";
import { errors } from "./errors.ts";

/** Selects the nodes of a list; 0 and empty values match all. */
export interface Filter {
  readonly nodeClusterId: bigint;
  readonly nodeRegionId: bigint;
  readonly level: number;
  /** 1 matches installed nodes, 2 the others. */
  readonly installState: number;
  /** 1 matches nodes that reported since `activeSince`, 2 the others. */
  readonly activeState: number;
  readonly activeSince: bigint;
  /** A pattern returned by `containing`. */
  readonly pattern: string;
  /** The nodes that match the keyword by their addresses. */
  readonly idsByAddress: bigint[];
}

/** Selects the nodes of a cluster and a kind of machine whose program is older than a version. */
export interface Outdated {
  readonly clusterId: bigint;
  readonly os: string;
  readonly arch: string;
  readonly versionCode: bigint;
}

/** The columns that lists can be sorted by. */
export const SORTS = {
  cpu: "cpuUsage",
  memory: "memoryUsage",
  trafficIn: "trafficInBytes",
  trafficOut: "trafficOutBytes",
  load: "load1m",
  connections: "connectionCount",
} as const;
export type Sort = keyof typeof SORTS;

/** Returns the statements that find, list and count nodes. */
export function nodeStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nodes").where("state", "=", 1n);
  const newestFirst = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);
  const inCluster = (clusterId: bigint) =>
    sql<boolean>`id in (select id from nodes where nodeClusterId = ${clusterId} and state = 1
      union all select nodeId from nodeSecondaryClusters where nodeClusterId = ${clusterId})`;
  const matches = (p: Filter) =>
    sql<boolean>`(${p.nodeClusterId} = 0 or ${inCluster(p.nodeClusterId)})
      and (${p.nodeRegionId} = 0 or nodeRegionId = ${p.nodeRegionId})
      and (${p.level} = 0 or level = ${p.level})
      and (${p.installState} = 0 or isInstalled = (${p.installState} = 1))
      and (${p.activeState} = 0 or (isActive = 1 and statusUpdatedAt >= ${p.activeSince}) = (${p.activeState} = 1))
      and (${p.pattern} = '' or name like ${p.pattern} escape '\\' or uniqueId like ${p.pattern} escape '\\'
        or id in ${anyOf(p.idsByAddress)})`;
  const sorted = (column: (typeof SORTS)[Sort], direction: "asc" | "desc") =>
    db.query((q, p: Filter & Page) =>
      live(q).selectAll().where(matches(p)).orderBy(column, direction).orderBy("id", "desc").limit(p.size)
        .offset(p.offset)
    );
  const notInstalled = (clusterId: bigint) => sql<boolean>`isInstalled = 0 and nodeClusterId = ${clusterId}`;
  const isOutdated = (p: Outdated) =>
    sql<boolean>`nodeClusterId = ${p.clusterId} and os = ${p.os} and arch = ${p.arch}
      and buildVersionCode < ${p.versionCode}`;
  const withGrant = (grantId: bigint) => sql<boolean>`id in (select nodeId from nodeLogins where grantId = ${grantId})`;

  return {
    ...liveRows(db, "nodes", errors.not_found),
    byUniqueId: db.query((q, p: { uniqueId: string }) => live(q).selectAll().where("uniqueId", "=", p.uniqueId)),
    summaries: db.query((q, p: { ids: bigint[] }) =>
      live(q).select(["id", "name", "isOn", "nodeClusterId", "nodeRegionId"]).where("id", "in", anyOf(p.ids))
    ),
    idsOfCluster: db.query((q, p: { clusterId: bigint; afterId: bigint; limit: number }) =>
      live(q).select("id").where(inCluster(p.clusterId)).where("id", ">", p.afterId).orderBy("id").limit(p.limit)
    ),
    clustersOf: db.query((q, p: { nodeId: bigint }) =>
      live(q).select("nodeClusterId").where("id", "=", p.nodeId).unionAll(
        q.selectFrom("nodeSecondaryClusters").innerJoin("nodes", "nodes.id", "nodeSecondaryClusters.nodeId")
          .select("nodeSecondaryClusters.nodeClusterId").where("nodes.id", "=", p.nodeId).where("nodes.state", "=", 1n),
      )
    ),
    ofPrimaryCluster: db.query((q, p: { clusterId: bigint }) =>
      newestFirst(q).where("nodeClusterId", "=", p.clusterId)
    ),
    inCluster: db.query((q, p: { clusterId: bigint }) => newestFirst(q).where(inCluster(p.clusterId))),
    namesInCluster: db.query((q, p: { clusterId: bigint; limit: number }) =>
      live(q).select("name").where(inCluster(p.clusterId)).orderBy("id", "desc").limit(p.limit)
    ),
    namesInRegion: db.query((q, p: { regionId: bigint; limit: number }) =>
      live(q).select("name").where("nodeRegionId", "=", p.regionId).orderBy("id", "desc").limit(p.limit)
    ),
    namesWithGrant: db.query((q, p: { grantId: bigint; limit: number }) =>
      live(q).select("name").where(withGrant(p.grantId)).orderBy("id", "desc").limit(p.limit)
    ),
    notInstalled: db.query((q, p: { clusterId: bigint }) => newestFirst(q).where(notInstalled(p.clusterId))),
    countNotInstalled: db.query((q, p: { clusterId: bigint }) => countLive(q).where(notInstalled(p.clusterId))),
    withGrant: db.query((q, p: { grantId: bigint }) => newestFirst(q).where(withGrant(p.grantId))),
    countWithGrant: db.query((q, p: { grantId: bigint }) => countLive(q).where(withGrant(p.grantId))),
    outdated: db.query((q, p: Outdated & { limit: number }) => newestFirst(q).where(isOutdated(p)).limit(p.limit)),
    countOutdated: db.query((q, p: Outdated) => countLive(q).where(isOutdated(p))),
    /** The configuration versions of nodes that are on; the others are not notified of changes. */
    versions: db.query((q, p: { ids: bigint[] }) =>
      live(q).selectAll().where("id", "in", anyOf(p.ids)).where("isOn", "=", 1n)
    ),
    count: db.query((q) => countLive(q)),
    countOfRegion: db.query((q, p: { regionId: bigint }) => countLive(q).where("nodeRegionId", "=", p.regionId)),
    countOffline: db.query((q, p: { activeSince: bigint }) =>
      countLive(q).where(
        sql<boolean>`isOn = 1 and isInstalled = 1 and not (isActive = 1 and statusUpdatedAt >= ${p.activeSince})`,
      )
    ),
    page: db.query((q, p: Page) => newestFirst(q).limit(p.size).offset(p.offset)),
    pageOfRegion: db.query((q, p: Page & { regionId: bigint }) =>
      newestFirst(q).where("nodeRegionId", "=", p.regionId).limit(p.size).offset(p.offset)
    ),
    // No single index covers these filters, so they run off the event loop with `scan`.
    countMatching: db.query((q, p: Filter) => countLive(q).where(matches(p))),
    pageMatching: db.query((q, p: Filter & Page) => newestFirst(q).where(matches(p)).limit(p.size).offset(p.offset)),
    pageSorted: Object.fromEntries(
      Object.entries(SORTS).flatMap(([sort, column]) => [
        [`${sort}Asc`, sorted(column, "asc")],
        [`${sort}Desc`, sorted(column, "desc")],
      ]),
    ) as Record<`${Sort}${"Asc" | "Desc"}`, ReturnType<typeof sorted>>,
    secondaryClusters: db.query((q, p: { nodeIds: bigint[] }) =>
      q.selectFrom("nodeSecondaryClusters").select(["nodeId", "nodeClusterId"]).where("nodeId", "in", anyOf(p.nodeIds))
        .orderBy("nodeId").orderBy("position")
    ),
    loginOf: db.query((q, p: { nodeId: bigint }) =>
      q.selectFrom("nodeLogins").selectAll().where("nodeId", "=", p.nodeId)
    ),
    grantsOfCluster: db.query((q, p: { clusterId: bigint }) =>
      q.selectFrom("nodeLogins").innerJoin("nodes", "nodes.id", "nodeLogins.nodeId").select("nodeLogins.grantId")
        .distinct().where("nodes.nodeClusterId", "=", p.clusterId).where("nodes.state", "=", 1n)
        .where("nodeLogins.grantId", ">", 0n)
    ),
  };
}

export type NodeStore = ReturnType<typeof nodeStore>;
