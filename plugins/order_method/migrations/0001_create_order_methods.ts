import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table orderMethods (
      id integer primary key autoincrement,
      name text not null,
      code text not null,
      description text not null,
      url text not null,
      -- both sealed for sealedFor
      secret text not null,
      params text not null,
      sealedFor text not null,
      parentCode text not null,
      clientType text not null,
      qrcodeTitle text not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index orderMethods_code on orderMethods (code) where state = 1`.execute(db);
}
