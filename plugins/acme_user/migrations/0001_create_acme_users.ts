import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table acmeUsers (
      id integer primary key autoincrement,
      userId integer not null,
      email text not null,
      description text not null,
      providerCode text not null,
      acmeProviderAccountId integer not null,
      registrationId integer not null,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index acmeUsers_user on acmeUsers (userId, id) where state = 1`.execute(db);
  await sql`create index acmeUsers_account on acmeUsers (acmeProviderAccountId) where state = 1`.execute(db);
}
