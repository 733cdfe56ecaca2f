import { type Kysely, sql } from "kysely";

/** The traffic of all sites, so that a dashboard does not add up the rows of each. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table serverTotalStats (
      day integer not null,
      slot integer not null,
      bytes integer not null,
      cachedBytes integer not null,
      countRequests integer not null,
      countCachedRequests integer not null,
      countAttackRequests integer not null,
      attackBytes integer not null,
      primary key (day, slot)
    ) strict, without rowid`.execute(db);
  // Attacks were counted by day only.
  await sql`
    insert into serverTotalStats
    select day, slot, sum(bytes), sum(cachedBytes), sum(countRequests), sum(countCachedRequests), 0, 0
    from serverFiveMinuteStats group by day, slot`.execute(db);
}
