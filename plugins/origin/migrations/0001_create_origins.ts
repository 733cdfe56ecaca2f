import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table origins (
      id integer primary key autoincrement,
      userId integer not null,
      isOn integer not null,
      version integer not null default 1,
      name text not null,
      protocol text not null,
      host text not null,
      portRange text not null,
      description text not null,
      weight integer not null,
      connTimeoutJSON blob not null,
      readTimeoutJSON blob not null,
      idleTimeoutJSON blob not null,
      maxConns integer not null,
      maxIdleConns integer not null,
      domains text not null,
      certRefJSON blob not null,
      sslCertId integer not null,
      requestHost text not null,
      followPort integer not null,
      sealedOSS text not null default '',
      http2Enabled integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index origins_user on origins (userId, id) where state = 1`.execute(db);
  await sql`create index origins_certificate on origins (sslCertId, id) where state = 1 and sslCertId <> 0`.execute(db);
}
