import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table trafficPackagePrices (
      trafficPackageId integer not null,
      nodeRegionId integer not null,
      trafficPackagePeriodId integer not null,
      -- in hundredths of the currency
      price integer not null,
      primary key (trafficPackageId, nodeRegionId, trafficPackagePeriodId)
    ) strict, without rowid`.execute(db);
  await sql`create index trafficPackagePrices_region on trafficPackagePrices (nodeRegionId)`.execute(db);
  await sql`create index trafficPackagePrices_period on trafficPackagePrices (trafficPackagePeriodId)`.execute(db);
}
