import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table reportNodeGroups (
      id integer primary key autoincrement,
      name text not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index reportNodeGroups_live on reportNodeGroups (id) where state = 1`.execute(db);
}
