import { type Kysely, sql } from "kysely";

/**
 * Counts in buckets of ids take the place of one count for each node. What few values tell apart (role, level, day,
 * whether it is about a site) needs no index any more: the buckets tell where such logs lie. Texts get a search index.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const trigger of ["inserted", "read", "deleted"]) {
    await sql`drop trigger ${sql.raw(`nodeLogs_${trigger}`)}`.execute(db);
  }
  await sql`drop table nodeLogCounts`.execute(db);
  await sql`alter table nodeLogMarks drop column unread`.execute(db);
  // The scopes are 0: everything, 1: a node, 2: a site, 3: an origin. A bucket is an id without its last idBits bits.
  // What is unread counts only while since is nodeLogMarks.readThrough, so that reading everything costs nothing.
  await sql`
    create table nodeLogBuckets (
      scope integer not null,
      scopeId integer not null,
      idBits integer not null,
      bucket integer not null,
      role text not null,
      day integer not null,
      level text not null,
      ofSite integer not null,
      n integer not null,
      unread integer not null,
      since integer not null,
      primary key (scope, scopeId, idBits, bucket, role, day, level, ofSite)
    ) strict, without rowid`.execute(db);
  await sql`create index nodeLogBuckets_empty on nodeLogBuckets (n) where n = 0`.execute(db);
  for (
    const [scope, scopeId, idBits] of [
      [0, "0", 18],
      [0, "0", 10],
      [1, "nodeId", 62],
      [1, "nodeId", 16],
      [2, "serverId", 62],
      [3, "originId", 62],
    ] as const
  ) {
    await sql`
      insert into nodeLogBuckets
        select ${sql.lit(scope)}, ${sql.raw(scopeId)}, ${sql.lit(idBits)}, id >> ${sql.lit(idBits)}, role,
          createdAt / 86400, level, serverId > 0, count(*), sum(isRead = 0 and id > m.readThrough), m.readThrough
        from nodeLogs cross join (select readThrough from nodeLogMarks) as m
        where ${sql.lit(scope)} = 0 or ${sql.raw(scopeId)} > 0 group by 2, 4, 5, 6, 7, 8`.execute(db);
  }
  for (const index of ["role", "unread", "hash"]) await sql`drop index ${sql.raw(`nodeLogs_${index}`)}`.execute(db);
  await sql`create index nodeLogs_unread on nodeLogs (role, nodeId, id) where isRead = 0`.execute(db);
  await sql`create index nodeLogs_hash on nodeLogs (hash, isFixed, id)`.execute(db);
  await sql`create index nodeLogs_open on nodeLogs (id) where isFixed = 0 and level <> 'info'`.execute(db);
  await sql`create index nodeLogs_fixed on nodeLogs (id) where isFixed = 1`.execute(db);
  await sql`create index nodeLogs_site on nodeLogs (serverId, id) where serverId > 0`.execute(db);
  await sql`create index nodeLogs_origin on nodeLogs (originId, id) where originId > 0`.execute(db);
  // Logs come into the search index in the background, up to indexedId; later ones are searched row by row.
  await sql`
    create virtual table nodeLogSearch
    using fts5(tag, description, content='', contentless_delete=1, detail=none, tokenize='trigram')`
    .execute(db);
  await sql`create table nodeLogSearchState (id integer primary key, indexedId integer not null) strict`.execute(db);
  await sql`insert into nodeLogSearchState values (1, 0)`.execute(db);
}
