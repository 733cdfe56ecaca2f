import { type Kysely, sql } from "kysely";

/** The attacks of five minutes, and the sites whose attack was an event. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table serverFiveMinuteStats add column countAttackRequests integer not null default 0`.execute(db);
  await sql`create table serverAttacks (serverId integer primary key, lastAt integer not null) strict`.execute(db);
  await sql`create index serverAttacks_lastAt on serverAttacks (lastAt)`.execute(db);
}
