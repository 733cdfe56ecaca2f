import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table sslCerts (
      id integer primary key autoincrement,
      userId integer not null,
      isOn integer not null,
      name text not null,
      description text not null,
      serverName text not null,
      isCA integer not null,
      timeBeginAt integer not null,
      timeEndAt integer not null,
      dnsNames text not null,
      commonNames text not null,
      fingerprint text not null,
      createdAt integer not null,
      updatedAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index sslCerts_live on sslCerts (id) where state = 1`.execute(db);
  await sql`create index sslCerts_user on sslCerts (userId, id) where state = 1`.execute(db);
  await sql`create index sslCerts_end on sslCerts (timeEndAt) where state = 1`.execute(db);
  // Apart from what lists read, since these are large.
  await sql`
    create table sslCertFiles (
      sslCertId integer primary key,
      certData blob not null,
      sealedKey text not null
    ) strict`.execute(db);
  await sql`
    create table sslCertNames (
      name text not null,
      sslCertId integer not null,
      primary key (name, sslCertId)
    ) strict, without rowid`.execute(db);
  await sql`create index sslCertNames_certificate on sslCertNames (sslCertId)`.execute(db);
}
