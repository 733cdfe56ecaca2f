import { type Kysely, sql } from "kysely";

/** The values that users publish in DNS to prove that they control names which other users hold. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table serverNameProofs (
      userId integer not null,
      name text not null,
      value text not null,
      expiresAt integer not null,
      primary key (userId, name)
    ) strict, without rowid`.execute(db);
  await sql`create index serverNameProofs_end on serverNameProofs (expiresAt)`.execute(db);
}
