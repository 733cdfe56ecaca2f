import { type Kysely, sql } from "kysely";

/**
 * Creating a domain was slow: the search index wrote to disk at each savepoint, and a row's counts took eight upserts.
 * Now names go into the search index in the background, up to `indexedId`; searches look through later ones row by row.
 * What is created is counted by the statement that creates it, once for a whole batch.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table nsDomainSearchState (id integer primary key, indexedId integer not null) strict`.execute(db);
  await sql`insert into nsDomainSearchState (id, indexedId) select 1, coalesce(max(id), 0) from nsDomains`.execute(db);
  // Deleted domains that are still in the search index, which does no harm but takes room.
  await sql`create table nsDomainSearchRemovals (nsDomainId integer primary key) strict`.execute(db);
  await sql`drop trigger nsDomains_created`.execute(db);
  await sql`drop trigger nsDomains_deleted`.execute(db);
  await sql`
    create trigger nsDomains_deleted after update of state on nsDomains when old.state = 1 and new.state = 0 begin
      insert into nsDomainBuckets (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status, n)
        select u.value, c.value, g.value, b.value, old.id >> b.value, old.status, -1
        from (select 0 as value union select old.userId) u,
          (select 0 as value union select old.nsClusterId) c,
          (select 0 as value union select value from json_each(old.groupIds)) g,
          (select 10 as value union select 20) b
        where true
        on conflict (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status) do update set n = n + excluded.n;
      delete from nsDomainGroupLinks
        where nsDomainId = old.id and nsDomainGroupId in (select value from json_each(old.groupIds));
      insert into nsDomainSearchRemovals (nsDomainId)
        select old.id where old.id <= (select indexedId from nsDomainSearchState);
    end`.execute(db);
}
