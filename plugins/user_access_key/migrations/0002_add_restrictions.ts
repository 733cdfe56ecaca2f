import { type Kysely, sql } from "kysely";

/** Adds the restrictions of keys. Existing keys have none, and count as made long ago: users do not see their secrets. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table userAccessKeys add column createdAt integer not null default 0`.execute(db);
  await sql`alter table userAccessKeys add column expiresAt integer not null default 0`.execute(db);
  await sql`alter table userAccessKeys add column addresses text not null default '[]'`.execute(db);
  await sql`alter table userAccessKeys add column operations text not null default '[]'`.execute(db);
  await sql`alter table userAccessKeys add column isReadOnly integer not null default 0`.execute(db);
}
