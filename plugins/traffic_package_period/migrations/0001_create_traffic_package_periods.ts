import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table trafficPackagePeriods (
      id integer primary key autoincrement,
      count integer not null,
      unit text not null,
      months integer not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`
    create unique index trafficPackagePeriods_months on trafficPackagePeriods (months) where state = 1`.execute(db);
}
