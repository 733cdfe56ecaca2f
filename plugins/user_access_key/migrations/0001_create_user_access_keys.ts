import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userAccessKeys (
      id integer primary key autoincrement,
      adminId integer not null,
      userId integer not null,
      isOn integer not null default 1,
      uniqueId text not null,
      secret text not null,
      description text not null,
      accessedAt integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index userAccessKeys_uniqueId on userAccessKeys (uniqueId)`.execute(db);
  await sql`create index userAccessKeys_owner on userAccessKeys (adminId, userId, id) where state = 1`.execute(db);
}
