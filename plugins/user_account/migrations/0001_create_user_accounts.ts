import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userAccounts (
      -- the user's
      id integer primary key,
      -- in hundredths of the currency
      total integer not null default 0 check (total >= 0),
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index userAccounts_live on userAccounts (id) where state = 1`.execute(db);
  await sql`
    create table userAccountLogs (
      id integer primary key autoincrement,
      userAccountId integer not null,
      -- what was booked, and what there was then
      delta integer not null,
      total integer not null,
      eventType text not null,
      description text not null,
      paramsJSON blob not null,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index userAccountLogs_live on userAccountLogs (id) where state = 1`.execute(db);
  await sql`
    create index userAccountLogs_account on userAccountLogs (userAccountId, id) where state = 1`.execute(db);
}
