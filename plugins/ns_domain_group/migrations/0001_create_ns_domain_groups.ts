import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDomainGroups (
      id integer primary key autoincrement,
      userId integer not null,
      name text not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index nsDomainGroups_user on nsDomainGroups (userId, id) where state = 1`.execute(db);
}
