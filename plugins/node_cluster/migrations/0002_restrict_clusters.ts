import { type Kysely, sql } from "kysely";

/** Which users may choose a cluster. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table nodeClusters add column openToJSON blob`.execute(db);
}
