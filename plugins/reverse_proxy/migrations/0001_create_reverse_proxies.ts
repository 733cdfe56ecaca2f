import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table reverseProxies (
      id integer primary key autoincrement,
      userId integer not null,
      isOn integer not null default 1,
      schedulingJSON blob not null,
      primaryOriginsJSON blob not null,
      backupOriginsJSON blob not null,
      requestHostType integer not null default 0,
      requestHost text not null default '',
      requestURI text not null default '',
      stripPrefix text not null default '',
      requestHostExcludingPort integer not null default 0,
      retry50X integer not null default 0,
      retry40X integer not null default 0,
      addHeaders text not null,
      autoFlush integer not null default 0,
      connTimeoutJSON blob not null default x'',
      readTimeoutJSON blob not null default x'',
      idleTimeoutJSON blob not null default x'',
      maxConns integer not null default 0,
      maxIdleConns integer not null default 0,
      proxyProtocolJSON blob not null default x'',
      followRedirects integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index reverseProxies_user on reverseProxies (userId, id) where state = 1`.execute(db);
  // Which proxies an origin is in: primaryOriginsJSON and backupOriginsJSON, the other way around.
  await sql`
    create table reverseProxyOrigins (
      originId integer not null,
      reverseProxyId integer not null,
      primary key (originId, reverseProxyId)
    ) strict, without rowid`.execute(db);
  await sql`create index reverseProxyOrigins_proxy on reverseProxyOrigins (reverseProxyId)`.execute(db);
}
