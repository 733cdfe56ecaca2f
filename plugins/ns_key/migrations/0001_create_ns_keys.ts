import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsKeys (
      id integer primary key autoincrement,
      nsDomainId integer not null,
      nsClusterId integer not null,
      name text not null,
      algo text not null,
      secret text not null,
      secretPlace text not null,
      secretType text not null,
      isOn integer not null default 1,
      version integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "index nsKeys_domain on nsKeys (nsDomainId, id) where state = 1",
      "unique index nsKeys_name on nsKeys (nsDomainId, name) where state = 1",
      "unique index nsKeys_version on nsKeys (version)",
      "index nsKeys_cluster_version on nsKeys (nsClusterId, version)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`create table nsKeyVersions (id integer primary key, version integer not null) strict`.execute(db);
  await sql`insert into nsKeyVersions (id, version) values (1, 0)`.execute(db);
}
