import { type Kysely, sql } from "kysely";

/** The declared list has replaced what was written by hand. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const trigger of ["created", "deleted", "moved"]) {
    await sql`drop trigger ${sql.raw(`servers_${trigger}`)}`.execute(db);
  }
  for (const index of ["live", "user_cluster", "plan"]) {
    await sql`drop index ${sql.raw(`servers_${index}`)}`.execute(db);
  }
  await sql`drop table serverTotals`.execute(db);
}
