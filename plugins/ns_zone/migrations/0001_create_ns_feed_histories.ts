import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsFeedHistories (
      id integer primary key autoincrement,
      name text not null,
      versions text not null
    ) strict`.execute(db);
  await sql`create unique index nsFeedHistories_name on nsFeedHistories (name)`.execute(db);
}
