import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodeInstallations (
      role text not null,
      nodeId integer not null,
      kind text not null,
      attempt text not null,
      phase text not null,
      steps text not null default '[]',
      version text not null default '',
      error text not null default '',
      errorCode text not null default '',
      keyHost text not null default '',
      keyPort integer not null default 0,
      holder text not null default '',
      isCancelled integer not null default 0,
      requestedAt integer not null,
      updatedAt integer not null,
      primary key (role, nodeId)
    ) strict, without rowid`.execute(db);
  await sql`
    create index nodeInstallations_open on nodeInstallations (phase, requestedAt)
    where phase in ('waiting', 'running')`.execute(db);
  await sql`
    create table nodeHostKeys (
      host text not null,
      port integer not null,
      type text not null,
      fingerprint text not null,
      acceptedAt integer not null,
      offeredType text not null default '',
      offeredFingerprint text not null default '',
      offeredAt integer not null default 0,
      primary key (host, port)
    ) strict, without rowid`.execute(db);
  await sql`
    create table nodePackages (
      id integer primary key autoincrement,
      program text not null,
      os text not null,
      arch text not null,
      version text not null,
      filename text not null,
      fileId integer not null,
      size integer not null,
      sha256 text not null,
      md5 text not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create unique index nodePackages_file on nodePackages (filename)`.execute(db);
}
