import { type Kysely, sql } from "kysely";

/** The events of plugins, and how far each listener has come. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_events (
      id integer primary key autoincrement,
      createdAt integer not null,
      name text not null,
      userId integer not null,
      dataJSON text not null
    ) strict`.execute(db);
  await sql`
    create table kernel_event_cursors (
      listener text primary key,
      eventId integer not null,
      failures integer not null,
      retryAt integer not null,
      error text not null
    ) strict, without rowid`.execute(db);
}
