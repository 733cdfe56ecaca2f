import { type Kysely, sql } from "kysely";

/** Servers of users, whose objects an earlier release left with the installation. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table serverReviews (serverId integer primary key) strict`.execute(db);
  await sql`insert into serverReviews (serverId) select id from servers where state = 1 and userId <> 0`.execute(db);
}
