import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodeRegions (
      id integer primary key autoincrement,
      name text not null,
      description text not null,
      isOn integer not null default 1,
      "order" integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index nodeRegions_order on nodeRegions ("order" desc, id) where state = 1`.execute(db);
  await sql`
    create table nodeRegionPrices (
      nodeRegionId integer not null,
      nodePriceItemId integer not null,
      -- for a gigabit, in millionths of the currency
      price integer not null,
      primary key (nodeRegionId, nodePriceItemId)
    ) strict, without rowid`.execute(db);
  await sql`create index nodeRegionPrices_item on nodeRegionPrices (nodePriceItemId)`.execute(db);
}
