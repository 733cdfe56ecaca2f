import { type Kysely, sql } from "kysely";

/** The nodes whose silence was an event. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table nodes add column isOfflineTold integer not null default 0`.execute(db);
  await sql`
    create index nodes_watched on nodes (id)
    where state = 1 and isOn = 1 and isInstalled = 1 and isOfflineTold = 0`.execute(db);
}
