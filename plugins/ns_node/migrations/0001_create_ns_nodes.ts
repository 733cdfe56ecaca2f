import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsNodes (
      id integer primary key autoincrement,
      nsClusterId integer not null,
      name text not null,
      isOn integer not null default 1,
      uniqueId text not null,
      secret text not null,
      statusJSON blob,
      statusUpdatedAt integer not null default 0,
      statusIsActive integer not null default 0,
      os text not null default '',
      arch text not null default '',
      buildVersionCode integer not null default 0,
      isInstalled integer not null default 0,
      isUp integer not null default 0,
      isActive integer not null default 0,
      isOfflineTold integer not null default 0,
      installDir text not null default '',
      connectedAPINodeIds text not null default '[]',
      apiNodeAddrsJSON blob,
      ddosProtectionJSON blob,
      installPhase text not null default '',
      installError text not null default '',
      installErrorCode text not null default '',
      installUpdatedAt integer not null default 0,
      configVersion integer not null default 1,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "unique index nsNodes_uniqueId on nsNodes (uniqueId)",
      "index nsNodes_live on nsNodes (id) where state = 1",
      "index nsNodes_cluster on nsNodes (nsClusterId, id) where state = 1",
      "index nsNodes_program on nsNodes (nsClusterId, os, arch, buildVersionCode) where state = 1",
      "index nsNodes_watched on nsNodes (id) where state = 1 and isOn = 1 and isInstalled = 1 and isOfflineTold = 0",
      "index nsNodes_waiting on nsNodes (id) where state = 1 and installPhase = 'waiting'",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`
    create table nsNodeLogins (
      id integer primary key autoincrement,
      nsNodeId integer not null,
      name text not null,
      type text not null,
      params blob not null,
      grantId integer not null
    ) strict`.execute(db);
  await sql`create unique index nsNodeLogins_node on nsNodeLogins (nsNodeId)`.execute(db);
  await sql`create index nsNodeLogins_grant on nsNodeLogins (grantId)`.execute(db);
}
