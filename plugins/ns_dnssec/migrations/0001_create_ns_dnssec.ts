import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDNSSECZones (
      id integer primary key autoincrement,
      nsDomainId integer not null,
      nsClusterId integer not null,
      createdAt integer not null,
      nextAt integer not null,
      disableAt integer not null default 0,
      parentStatus text not null default '',
      parentCheckedAt integer not null default 0,
      nextCheckAt integer not null,
      version integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`
    create table nsDNSSECKeys (
      id integer primary key autoincrement,
      zoneId integer not null,
      role text not null,
      algorithm integer not null,
      keyTag integer not null,
      publicKey text not null,
      privateKey text not null,
      keyPlace text not null,
      publishAt integer not null,
      activeAt integer not null,
      retireAt integer not null default 0,
      removeAt integer not null default 0,
      isAnnounced integer not null
    ) strict`.execute(db);
  for (
    const index of [
      "unique index nsDNSSECZones_domain on nsDNSSECZones (nsDomainId) where state = 1",
      "index nsDNSSECZones_next on nsDNSSECZones (nextAt) where state = 1",
      "index nsDNSSECZones_check on nsDNSSECZones (nextCheckAt) where state = 1",
      "unique index nsDNSSECKeys_tag on nsDNSSECKeys (zoneId, keyTag)",
      "index nsDNSSECKeys_zone on nsDNSSECKeys (zoneId, id)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
}
