import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodePriceItems (
      id integer primary key autoincrement,
      name text not null,
      type text not null,
      bitsFrom integer not null,
      bitsTo integer not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index nodePriceItems_type on nodePriceItems (type, bitsFrom, id) where state = 1`.execute(db);
}
