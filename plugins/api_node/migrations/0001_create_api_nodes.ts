import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table apiNodes (
      id integer primary key autoincrement,
      uniqueId text not null,
      instanceCode text not null,
      name text not null,
      description text not null,
      isOn integer not null,
      isPrimary integer not null,
      restIsOn integer not null,
      httpJSON blob,
      httpsJSON blob,
      restHTTPJSON blob,
      restHTTPSJSON blob,
      accessAddrsJSON blob,
      statusJSON blob,
      statusUpdatedAt integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index apiNodes_instance on apiNodes (instanceCode) where state = 1 and instanceCode != ''`
    .execute(db);
  await sql`create unique index apiNodes_primary on apiNodes (isPrimary) where state = 1 and isPrimary = 1`.execute(db);
  await sql`create index apiNodes_live on apiNodes (id) where state = 1`.execute(db);
}
