import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table acmeProviderAccounts (
      id integer primary key autoincrement,
      userId integer not null,
      isOn integer not null default 1,
      name text not null,
      providerCode text not null,
      eabKid text not null,
      sealedKey text not null,
      error text not null default '',
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index acmeProviderAccounts_user on acmeProviderAccounts (userId, id) where state = 1`.execute(db);
  await sql`
    create index acmeProviderAccounts_provider on acmeProviderAccounts (userId, providerCode, id)
      where state = 1`.execute(db);
}
