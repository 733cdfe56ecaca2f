import { type Kysely, sql } from "kysely";

/** The declared list has replaced what was written by hand. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const trigger of ["created", "changed", "deleted"]) {
    await sql`drop trigger ${sql.raw(`messageRecipients_${trigger}`)}`.execute(db);
  }
  await sql`drop index messageRecipients_live`.execute(db);
  await sql`drop table messageRecipientGroupLinks`.execute(db);
}
