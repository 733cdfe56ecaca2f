import { type Kysely, sql } from "kysely";

/** How many different things the logs say that nobody fixed, counted from an index in the order of what they say. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index nodeLogs_openHash on nodeLogs (hash, id, role, nodeId) where isFixed = 0 and level <> 'info'`
    .execute(db);
}
