import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // ignoredKeys are a JSON array of texts
  await sql`
    create table metricCharts (
      id integer primary key autoincrement,
      metricItemId integer not null,
      isOn integer not null default 1,
      name text not null,
      type text not null,
      widthDiv integer not null,
      paramsJSON blob not null,
      maxItems integer not null,
      ignoreEmptyKeys integer not null,
      ignoredKeys text not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index metricCharts_live on metricCharts (id) where state = 1`.execute(db);
  await sql`create index metricCharts_item on metricCharts (metricItemId, id) where state = 1`.execute(db);
}
