import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table logins (
      id integer primary key autoincrement,
      adminId integer not null,
      userId integer not null,
      uniqueId text not null,
      secret text not null,
      isOn integer not null,
      lastStep integer not null default 0
    ) strict`.execute(db);
  await sql`create unique index logins_owner on logins (adminId, userId)`.execute(db);
  await sql`
    create table loginRecoveryCodes (
      id integer primary key autoincrement,
      loginId integer not null,
      hash text not null
    ) strict`.execute(db);
  await sql`create index loginRecoveryCodes_login on loginRecoveryCodes (loginId, hash)`.execute(db);
}
