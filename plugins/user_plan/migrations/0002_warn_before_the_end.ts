import { type Kysely, sql } from "kysely";

/** Which plans have been announced to end on their present last day. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table userPlans add column isEndAnnounced integer not null default 0`.execute(db);
  await sql`create index userPlans_ending on userPlans (dayTo, id) where state = 1 and isEndAnnounced = 0`.execute(db);
}
