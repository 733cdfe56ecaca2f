import { type Kysely, sql } from "kysely";

/** The events that an instance did not know, for listeners on an instance that does. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_deferred_events (
      listener text not null,
      eventId integer not null,
      failures integer not null,
      retryAt integer not null,
      error text not null,
      primary key (listener, eventId)
    ) strict, without rowid`.execute(db);
}
