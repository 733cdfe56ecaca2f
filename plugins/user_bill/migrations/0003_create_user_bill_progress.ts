import { type Kysely, sql } from "kysely";

/** The progress of runs of bills, so that one that was interrupted goes on. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userBillProgress (
      key text primary key,
      -- the last user that was billed
      after integer not null,
      at integer not null
    ) strict, without rowid`.execute(db);
}
