import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table consoleSessions (
      id integer primary key autoincrement,
      uniqueId text not null,
      secretHash text not null,
      role text not null,
      subjectId integer not null,
      keySource text not null,
      keyId integer not null,
      address text not null,
      userAgent text not null,
      createdAt integer not null,
      lastUsedAt integer not null,
      expiresAt integer not null
    ) strict`.execute(db);
  await sql`create unique index consoleSessions_uniqueId on consoleSessions (uniqueId)`.execute(db);
  await sql`create index consoleSessions_subject on consoleSessions (role, subjectId, id)`.execute(db);
  await sql`create index consoleSessions_key on consoleSessions (keySource, keyId)`.execute(db);
  await sql`create index consoleSessions_expiry on consoleSessions (expiresAt)`.execute(db);
  await sql`create index consoleSessions_use on consoleSessions (lastUsedAt)`.execute(db);
}
