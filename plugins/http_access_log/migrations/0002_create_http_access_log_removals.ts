import { type Kysely, sql } from "kysely";

/** Users whose logs are to be removed: a store outside of the database cannot do so in their transaction. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table httpAccessLogRemovals (
      userId integer primary key
    ) strict`.execute(db);
}
