import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // secret is sealed; lists are JSON arrays; capacities are JSON objects or empty
  await sql`
    create table nodes (
      id integer primary key autoincrement,
      uniqueId text not null,
      secret text not null,
      name text not null,
      createdAt integer not null,
      isOn integer not null default 1,
      isUp integer not null default 1,
      isInstalled integer not null default 0,
      nodeClusterId integer not null,
      nodeRegionId integer not null,
      level integer not null default 1,
      lnAddrs text not null default '[]',
      enableIPLists integer not null default 1,
      dnsRoutes text not null default '[]',
      maxCPU integer not null default 0,
      maxCacheDiskCapacity text not null default '',
      maxCacheMemoryCapacity text not null default '',
      cacheDiskDir text not null default '',
      cacheDiskSubDirsJSON blob,
      apiNodeAddrsJSON blob,
      ddosProtectionJSON blob,
      connectedAPINodeIds text not null default '[]',
      configVersion integer not null default 1,
      statusJSON blob,
      statusUpdatedAt integer not null default 0,
      statusVersion integer not null default 0,
      isActive integer not null default 0,
      cpuUsage real not null default 0,
      memoryUsage real not null default 0,
      load1m real not null default 0,
      trafficInBytes integer not null default 0,
      trafficOutBytes integer not null default 0,
      connectionCount integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index nodes_uniqueId on nodes (uniqueId)`.execute(db);
  await sql`create index nodes_live on nodes (id) where state = 1`.execute(db);
  await sql`create index nodes_cluster on nodes (nodeClusterId, id) where state = 1`.execute(db);
  await sql`create index nodes_region on nodes (nodeRegionId, id) where state = 1`.execute(db);
  await sql`
    create table nodeSecondaryClusters (
      nodeId integer not null,
      nodeClusterId integer not null,
      position integer not null,
      primary key (nodeId, nodeClusterId)
    ) strict, without rowid`.execute(db);
  await sql`create index nodeSecondaryClusters_cluster on nodeSecondaryClusters (nodeClusterId, nodeId)`.execute(db);
  await sql`
    create table nodeLogins (
      id integer primary key autoincrement,
      nodeId integer not null,
      name text not null,
      type text not null,
      host text not null,
      port integer not null,
      grantId integer not null
    ) strict`.execute(db);
  await sql`create unique index nodeLogins_node on nodeLogins (nodeId)`.execute(db);
  await sql`create index nodeLogins_grant on nodeLogins (grantId, nodeId)`.execute(db);
}
