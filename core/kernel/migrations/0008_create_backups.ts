import { type Kysely, sql } from "kysely";

/** The backups on a schedule, with the last check of each. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_backups (
      name text primary key,
      madeAt integer not null,
      bytes integer not null,
      rows integer not null,
      checkedAt integer,
      checkError text
    ) strict, without rowid`.execute(db);
}
