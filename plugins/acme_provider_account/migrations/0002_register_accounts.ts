import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table acmeRegistrations (
      id integer primary key autoincrement,
      uniqueId text not null,
      providerCode text not null,
      acmeProviderAccountId integer not null,
      email text not null,
      sealedKey text not null,
      sealedNextKey text not null default '',
      url text not null default '',
      error text not null default '',
      attempts integer not null default 0,
      dueAt integer not null,
      pausedUntil integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index acmeRegistrations_due on acmeRegistrations (dueAt) where state = 1 and dueAt > 0`.execute(db);
  await sql`alter table acmeProviderAccounts add column email text not null default ''`.execute(db);
  await sql`alter table acmeProviderAccounts add column registrationId integer not null default 0`.execute(db);
  await sql`
    create index acmeProviderAccounts_unregistered on acmeProviderAccounts (id)
      where state = 1 and registrationId = 0`.execute(db);
}
