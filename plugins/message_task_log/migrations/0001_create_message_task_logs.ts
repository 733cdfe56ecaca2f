import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table messageTaskLogs (
      id integer primary key autoincrement,
      messageTaskId integer not null,
      isOk integer not null,
      error text not null,
      response text not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create index messageTaskLogs_createdAt on messageTaskLogs (createdAt)`.execute(db);
}
