import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table servers (
      id integer primary key autoincrement,
      userId integer not null,
      nodeClusterId integer not null,
      userPlanId integer not null default 0,
      type text not null,
      family text not null,
      name text not null,
      description text not null,
      isOn integer not null default 1,
      countServerNames integer not null,
      firstServerName text not null,
      webId integer not null default 0,
      reverseProxyId integer not null default 0,
      createdAt integer not null,
      version integer not null,
      state integer not null default 1,
      searchText text not null,
      serverNamesJSON blob not null,
      httpJSON blob not null,
      httpsJSON blob not null,
      tcpJSON blob not null,
      tlsJSON blob not null,
      udpJSON blob not null,
      reverseProxyJSON blob not null,
      includeNodesJSON blob not null,
      excludeNodesJSON blob not null
    ) strict`.execute(db);
  for (
    const index of [
      "servers_live on servers (id) where state = 1",
      "servers_user on servers (userId, id, countServerNames) where state = 1",
      "servers_cluster on servers (nodeClusterId, id) where state = 1",
      "servers_user_cluster on servers (userId, nodeClusterId, id) where state = 1",
      "servers_plan on servers (userPlanId, id) where state = 1 and userPlanId <> 0",
      "servers_proxy on servers (reverseProxyId, id) where state = 1 and reverseProxyId <> 0",
    ]
  ) await sql`create index ${sql.raw(index)}`.execute(db);
  await sql`create table serverVersions (id integer primary key, version integer not null) strict`.execute(db);
  await sql`insert into serverVersions (id, version) values (1, 0)`.execute(db);
  // A name stands for one live server of a cluster.
  await sql`
    create table serverNames (
      nodeClusterId integer not null,
      name text not null,
      serverId integer not null,
      primary key (nodeClusterId, name)
    ) strict, without rowid`.execute(db);
  await sql`create index serverNames_server on serverNames (serverId, name)`.execute(db);
  await createTotals(db);
}

/** How many live servers there are for every filter, 0 and '' standing for any; kept by triggers. */
async function createTotals(db: Kysely<never>): Promise<void> {
  await sql`
    create table serverTotals (
      userId integer not null,
      nodeClusterId integer not null,
      family text not null,
      n integer not null,
      primary key (userId, nodeClusterId, family)
    ) strict, without rowid`.execute(db);
  for (
    const trigger of [
      `servers_created after insert on servers when new.state = 1 begin ${count("new", 1)} end`,
      `servers_deleted after update of state on servers when old.state = 1 and new.state = 0
        begin ${count("old", -1)} end`,
      `servers_moved after update of userId, nodeClusterId on servers
        when new.state = 1 and (old.userId, old.nodeClusterId) <> (new.userId, new.nodeClusterId)
        begin ${count("old", -1)} ${count("new", 1)} end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
}

function count(row: "new" | "old", step: 1 | -1): string {
  return `
    insert into serverTotals (userId, nodeClusterId, family, n)
      select u.value, c.value, f.value, ${step}
      from (select 0 as value union select ${row}.userId) u,
        (select 0 as value union select ${row}.nodeClusterId) c,
        (select '' as value union select ${row}.family) f
      where true
      on conflict (userId, nodeClusterId, family) do update set n = n + excluded.n;`;
}
