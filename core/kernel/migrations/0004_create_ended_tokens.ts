import { type Kysely, sql } from "kysely";

/** The holders whose earlier tokens have ended for good. Tokens that were issued before this migration stay valid. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_ended_tokens (
      holder text primary key,
      epoch integer not null,
      endedAt integer not null
    ) strict, without rowid`.execute(db);
  await sql`create index kernel_ended_tokens_age on kernel_ended_tokens (endedAt)`.execute(db);
}
