import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table httpCachePolicies (
      id integer primary key autoincrement,
      isOn integer not null,
      name text not null,
      description text not null,
      type text not null,
      capacityJSON blob not null,
      maxSizeJSON blob not null,
      optionsJSON blob not null,
      syncCompressionCache integer not null,
      fetchTimeoutJSON blob not null,
      refsJSON blob not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index httpCachePolicies_live on httpCachePolicies (id) where state = 1`.execute(db);
  await sql`create index httpCachePolicies_type on httpCachePolicies (type, id) where state = 1`.execute(db);
}
