import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table admins (
      id integer primary key autoincrement,
      username text not null collate nocase,
      password text not null,
      fullname text not null,
      isOn integer not null default 1,
      isSuper integer not null,
      canLogin integer not null,
      hasWeakPassword integer not null default 0,
      modulesJSON blob not null,
      theme text not null default '',
      lang text not null default '',
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index admins_username on admins (username) where state = 1`.execute(db);
}
