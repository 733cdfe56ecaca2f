import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userAccountDebts (
      id integer primary key autoincrement,
      userAccountId integer not null,
      -- what is still owed
      amount integer not null check (amount > 0),
      eventType text not null,
      description text not null,
      paramsJSON blob not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create index userAccountDebts_account on userAccountDebts (userAccountId, id)`.execute(db);
}
