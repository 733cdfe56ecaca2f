import { type Kysely, sql } from "kysely";

/** Which sites an admin turned off, and their names, which stay forbidden to users after the site is gone. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table servers add column isOffByAdmin integer not null default 0`.execute(db);
  // labels in reverse order, so that the names below a wildcard are one range
  await sql`
    create table serverForbiddenNames (
      reversedName text primary key,
      serverId integer not null
    ) strict, without rowid`.execute(db);
  await sql`create index serverForbiddenNames_server on serverForbiddenNames (serverId)`.execute(db);
}
