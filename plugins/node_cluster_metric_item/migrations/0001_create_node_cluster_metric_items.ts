import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodeClusterMetricItems (
      id integer primary key autoincrement,
      nodeClusterId integer not null,
      metricItemId integer not null
    ) strict`.execute(db);
  await sql`create unique index nodeClusterMetricItems_pair on nodeClusterMetricItems (nodeClusterId, metricItemId)`
    .execute(db);
  await sql`create index nodeClusterMetricItems_item on nodeClusterMetricItems (metricItemId, id)`.execute(db);
}
