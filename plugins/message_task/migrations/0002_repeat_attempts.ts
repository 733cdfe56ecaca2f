import { type Kysely, sql } from "kysely";

/** Attempts that failed are repeated: how many there were, and when the next one is due. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table messageTasks add column attempts integer not null default 0`.execute(db);
  await sql`alter table messageTasks add column dueAt integer not null default 0`.execute(db);
}
