import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table serverDailyStats (
      serverId integer not null,
      day integer not null,
      nodeRegionId integer not null,
      userId integer not null,
      bytes integer not null,
      cachedBytes integer not null,
      countRequests integer not null,
      countCachedRequests integer not null,
      countAttackRequests integer not null,
      attackBytes integer not null,
      countIPs integer not null,
      primary key (serverId, day, nodeRegionId, userId)
    ) strict, without rowid`.execute(db);
  // What bills are made from, without a look at the rows.
  await sql`create index serverDailyStats_user on serverDailyStats (userId, day, serverId, nodeRegionId, bytes)`
    .execute(db);
  await sql`
    create table serverFiveMinuteStats (
      serverId integer not null,
      day integer not null,
      slot integer not null,
      userId integer not null,
      bytes integer not null,
      cachedBytes integer not null,
      countRequests integer not null,
      countCachedRequests integer not null,
      primary key (serverId, day, slot, userId)
    ) strict, without rowid`.execute(db);
  await sql`create index serverFiveMinuteStats_day on serverFiveMinuteStats (day)`.execute(db);
}
