import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // codes stand one to a line
  await sql`
    create table formalClientBrowsers (
      id integer primary key autoincrement,
      name text not null,
      codes text not null,
      dataId text not null
    ) strict`.execute(db);
  await sql`create unique index formalClientBrowsers_dataId on formalClientBrowsers (dataId)`.execute(db);
}
