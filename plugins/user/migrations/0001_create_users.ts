import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table users (
      id integer primary key autoincrement,
      username text not null collate nocase,
      password text not null,
      fullname text not null,
      mobile text not null,
      tel text not null default '',
      email text not null collate nocase,
      remark text not null default '',
      source text not null,
      registeredIP text not null default '',
      isOn integer not null default 1,
      isVerified integer not null,
      isRejected integer not null default 0,
      rejectReason text not null default '',
      verifiedEmail text not null default '',
      verifiedMobile text not null default '',
      nodeClusterId integer not null default 0,
      bandwidthAlgo text not null default '',
      priceType text not null default '',
      pricePeriod text not null default '',
      featureCodes text not null default '[]',
      hasServers integer not null default 1,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index users_username on users (username) where state = 1`.execute(db);
  await sql`create index users_live on users (id) where state = 1`.execute(db);
  await sql`create index users_verifying on users (id) where state = 1 and isVerified = 0 and isRejected = 0`.execute(
    db,
  );
  await sql`create index users_email on users (email) where state = 1`.execute(db);
  await sql`create index users_mobile on users (mobile) where state = 1`.execute(db);
  await sql`create index users_createdAt on users (createdAt) where state = 1`.execute(db);
  // Users whose things are still to be removed.
  await sql`create table userRemovals (userId integer primary key) strict`.execute(db);
}
