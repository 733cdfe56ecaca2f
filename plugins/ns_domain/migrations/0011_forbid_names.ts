import { type Kysely, sql } from "kysely";

/** Which domains an admin turned off, and the names that users cannot use because of deleted domains too. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table nsDomains add column isOffByAdmin integer not null default 0`.execute(db);
  await sql`
    create index nsDomains_forbidden on nsDomains (name) where status = 'forbidden' or isOffByAdmin = 1`.execute(db);
}
