import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table messageMediaInstances (
      id integer primary key autoincrement,
      name text not null,
      mediaType text not null,
      params text not null,
      paramsPlace text not null,
      description text not null,
      rateJSON blob,
      hashLife integer not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index messageMediaInstances_live on messageMediaInstances (id) where state = 1`.execute(db);
  await sql`create index messageMediaInstances_type on messageMediaInstances (mediaType, id) where state = 1`.execute(
    db,
  );
}
