import { type Kysely, sql } from "kysely";

/** The order in which a new listener begins, and in which events that no instance knows are dropped. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index kernel_events_created on kernel_events (createdAt)`.execute(db);
  await sql`create index kernel_deferred_events_event on kernel_deferred_events (eventId)`.execute(db);
}
