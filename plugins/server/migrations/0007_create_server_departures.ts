import { type Kysely, sql } from "kysely";

/** The clusters that sites left. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table serverDepartures (
      serverId integer not null,
      nodeClusterId integer not null,
      leftAt integer not null,
      primary key (serverId, nodeClusterId)
    ) strict, without rowid`.execute(db);
  await sql`create index serverDepartures_time on serverDepartures (leftAt)`.execute(db);
}
