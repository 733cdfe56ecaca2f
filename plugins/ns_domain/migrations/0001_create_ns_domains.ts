import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDomains (
      id integer primary key autoincrement,
      nsClusterId integer not null,
      userId integer not null,
      name text not null,
      isOn integer not null default 1,
      status text not null,
      groupIds text not null default '[]',
      tsigJSON blob,
      recordsHealthCheckJSON blob,
      verifyTXT text not null default '',
      verifyExpiresAt integer not null default 0,
      createdAt integer not null,
      version integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "unique index nsDomains_name on nsDomains (nsClusterId, name, userId) where state = 1",
      "unique index nsDomains_verified on nsDomains (name, nsClusterId) where state = 1 and status = 'verified'",
      "index nsDomains_owner_name on nsDomains (name, userId) where state = 1",
      "index nsDomains_live on nsDomains (id) where state = 1",
      "index nsDomains_user on nsDomains (userId, id) where state = 1",
      "index nsDomains_cluster on nsDomains (nsClusterId, id) where state = 1",
      "index nsDomains_user_cluster on nsDomains (userId, nsClusterId, id) where state = 1",
      "unique index nsDomains_version on nsDomains (version)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`create table nsDomainVersions (id integer primary key, version integer not null) strict`.execute(db);
  await sql`insert into nsDomainVersions (id, version) values (1, 0)`.execute(db);
}
