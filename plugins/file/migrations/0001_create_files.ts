import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table files (
      id integer primary key autoincrement,
      userId integer not null,
      filename text not null,
      size integer not null,
      isPublic integer not null,
      mimeType text not null,
      type text not null,
      isFinished integer not null default 0,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index files_user on files (userId, id) where state = 1`.execute(db);
  await sql`create index files_unfinished on files (createdAt) where state = 1 and isFinished = 0`.execute(db);
}
