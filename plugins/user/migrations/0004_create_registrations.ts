import { type Kysely, sql } from "kysely";

/** The registrations of the last day, by which they are bounded. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userRegistrations (
      id integer primary key autoincrement,
      addressGroup text not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create index userRegistrations_address on userRegistrations (addressGroup, createdAt)`.execute(db);
  await sql`create index userRegistrations_createdAt on userRegistrations (createdAt)`.execute(db);
}
