import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table trafficPackages (
      id integer primary key autoincrement,
      size integer not null,
      unit text not null,
      bytes integer not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index trafficPackages_bytes on trafficPackages (bytes) where state = 1`.execute(db);
}
