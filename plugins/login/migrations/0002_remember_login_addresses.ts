import { type Kysely, sql } from "kysely";

/** The addresses from which people signed in. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table loginAddresses (
      id integer primary key autoincrement,
      adminId integer not null,
      userId integer not null,
      address text not null,
      seenAt integer not null
    ) strict`.execute(db);
  await sql`create index loginAddresses_owner on loginAddresses (adminId, userId, seenAt)`.execute(db);
}
