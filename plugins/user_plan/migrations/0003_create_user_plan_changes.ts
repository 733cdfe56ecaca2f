import { type Kysely, sql } from "kysely";

/** Plans whose limits changed, with the last plan of a user whose sites were marked for update. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table userPlanChanges (planId integer primary key, after integer not null) strict`.execute(db);
}
