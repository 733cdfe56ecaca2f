import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table plans (
      id integer primary key autoincrement,
      name text not null,
      description text not null,
      clusterId integer not null,
      priceType text not null,
      -- in hundredths of the currency
      monthlyPrice integer not null,
      seasonallyPrice integer not null,
      yearlyPrice integer not null,
      trafficPriceJSON blob,
      bandwidthPriceJSON blob,
      trafficLimitJSON blob,
      bandwidthLimitPerNodeJSON blob,
      maxUploadSizeJSON blob,
      featuresJSON blob,
      hasFullFeatures integer not null,
      totalServers integer not null,
      totalServerNamesPerServer integer not null,
      totalServerNames integer not null,
      dailyRequests integer not null,
      monthlyRequests integer not null,
      dailyWebsocketConnections integer not null,
      monthlyWebsocketConnections integer not null,
      isOn integer not null default 1,
      "order" integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index plans_order on plans ("order" desc, id desc) where state = 1`.execute(db);
  await sql`create index plans_cluster on plans (clusterId) where state = 1`.execute(db);
}
