import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userTrafficPackages (
      id integer primary key autoincrement,
      userId integer not null,
      trafficPackageId integer not null,
      nodeRegionId integer not null,
      trafficPackagePeriodId integer not null,
      periodCount integer not null,
      periodUnit text not null,
      totalBytes integer not null,
      usedBytes integer not null default 0 check (usedBytes between 0 and totalBytes),
      dayFrom text not null,
      dayTo text not null,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index userTrafficPackages_live on userTrafficPackages (id) where state = 1`.execute(db);
  await sql`create index userTrafficPackages_user on userTrafficPackages (userId, dayTo)`.execute(db);
  for (const column of ["trafficPackageId", "nodeRegionId", "trafficPackagePeriodId"]) {
    await sql`
      create index ${sql.raw(`userTrafficPackages_${column}`)}
      on userTrafficPackages (${sql.ref(column)}, id) where state = 1`.execute(db);
  }
  await sql`
    create table userTrafficPackageDraws (
      packageId integer not null,
      -- the first day of what was billed
      dayFrom text not null,
      bytes integer not null check (bytes > 0),
      primary key (packageId, dayFrom)
    ) strict, without rowid`.execute(db);
}
