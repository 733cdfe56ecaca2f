import { type Kysely, sql } from "kysely";

/** Addresses of which somebody was told that too few report nodes reach them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table reportNodeNotices (addrId integer primary key, toldAt integer not null) strict`.execute(db);
}
