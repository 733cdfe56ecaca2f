import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // password, privateKey and passphrase are sealed for their column and sealedFor, or empty
  await sql`
    create table nodeGrants (
      id integer primary key autoincrement,
      sealedFor text not null,
      name text not null,
      method text not null,
      username text not null,
      password text not null,
      privateKey text not null,
      passphrase text not null,
      su integer not null,
      description text not null,
      nodeId integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index nodeGrants_live on nodeGrants (id) where state = 1`.execute(db);
}
