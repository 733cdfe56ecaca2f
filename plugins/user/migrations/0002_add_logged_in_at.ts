import { type Kysely, sql } from "kysely";

/** The time of the last login with the current password, in unix seconds; 0 means never. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table users add column loggedInAt integer not null default 0`.execute(db);
}
