import { type Kysely, sql } from "kysely";

/** The declared list replaces what was written by hand. It distinguishes logs by a column, not by an expression. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    alter table logs add column userType text
      generated always as (iif(userId > 0, 'user', 'admin')) virtual`.execute(db);
  await sql`drop trigger logs_inserted`.execute(db);
  await sql`drop trigger logs_deleted`.execute(db);
  for (const table of ["logBuckets", "logSearch", "logSearchState"]) {
    await sql`drop table ${sql.raw(table)}`.execute(db);
  }
  await sql`
    create trigger logs_inserted after insert on logs begin
      update logTotals set count = count + 1, bytes = bytes + new.bytes;
    end`.execute(db);
  await sql`
    create trigger logs_deleted after delete on logs begin
      update logTotals set count = count - 1, bytes = bytes - old.bytes;
    end`.execute(db);
}
