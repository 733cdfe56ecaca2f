import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // keys are a JSON array of texts
  await sql`
    create table metricItems (
      id integer primary key autoincrement,
      isOn integer not null default 1,
      code text not null,
      category text not null,
      name text not null,
      keys text not null,
      period integer not null,
      periodUnit text not null,
      expiresPeriod integer not null,
      value text not null,
      isPublic integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index metricItems_code on metricItems (code) where state = 1 and code != ''`.execute(db);
  await sql`create index metricItems_live on metricItems (id) where state = 1`.execute(db);
  await sql`create index metricItems_category on metricItems (category, id) where state = 1`.execute(db);
  await sql`create index metricItems_public on metricItems (id) where state = 1 and isPublic = 1`.execute(db);
}
