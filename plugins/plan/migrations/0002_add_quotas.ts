import { type Kysely, sql } from "kysely";

/** Which quotas users with a plan have. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table plans add column quotasJSON blob`.execute(db);
}
