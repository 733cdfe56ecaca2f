import { type Kysely, sql } from "kysely";

/**
 * Creating a domain was slow: the search index wrote to disk at each savepoint, and a row's counts took eight upserts.
 * Now names go into the search index in the background, up to `indexedId`; searches look through later ones row by row.
 * What is created is counted by the statement that creates it, once for a whole batch. The larger buckets become
 * smaller, so that finding a row deep in a list reads tens of them, not a thousand.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table nsDomainSearchState (id integer primary key, indexedId integer not null) strict`.execute(db);
  await sql`insert into nsDomainSearchState (id, indexedId) select 1, coalesce(max(id), 0) from nsDomains`.execute(db);
  // Deleted domains that are still in the search index, which does no harm but takes room.
  await sql`create table nsDomainSearchRemovals (nsDomainId integer primary key) strict`.execute(db);
  await sql`delete from nsDomainBuckets where idBits = 20`.execute(db);
  await sql`
    insert into nsDomainBuckets (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status, n)
      select userId, nsClusterId, nsDomainGroupId, 16, bucket >> 6, status, sum(n)
      from nsDomainBuckets where idBits = 10 group by 1, 2, 3, 5, 6`.execute(db);
  for (const trigger of ["created", "deleted", "changed"]) {
    await sql`drop trigger ${sql.raw(`nsDomains_${trigger}`)}`.execute(db);
  }
  const change = `${count("old", -1)} ${unlink("old")} ${count("new", 1)} ${link("new")}`;
  for (
    const trigger of [
      `nsDomains_deleted after update of state on nsDomains when old.state = 1 and new.state = 0 begin
        ${count("old", -1)} ${unlink("old")}
        insert into nsDomainSearchRemovals (nsDomainId)
          select old.id where old.id <= (select indexedId from nsDomainSearchState);
      end`,
      `nsDomains_changed after update of userId, nsClusterId, groupIds, status on nsDomains
        when new.state = 1 and (old.userId, old.nsClusterId, old.groupIds, old.status)
          <> (new.userId, new.nsClusterId, new.groupIds, new.status) begin ${change} end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
}

function count(row: "new" | "old", step: 1 | -1): string {
  return `
    insert into nsDomainBuckets (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status, n)
      select u.value, c.value, g.value, b.value, ${row}.id >> b.value, ${row}.status, ${step}
      from (select 0 as value union select ${row}.userId) u,
        (select 0 as value union select ${row}.nsClusterId) c,
        (select 0 as value union select value from json_each(${row}.groupIds)) g,
        (select 10 as value union select 16) b
      where true
      on conflict (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status) do update set n = n + excluded.n;`;
}

function link(row: "new" | "old"): string {
  return `insert into nsDomainGroupLinks (nsDomainGroupId, nsDomainId)
      select distinct value, ${row}.id from json_each(${row}.groupIds);`;
}

function unlink(row: "new" | "old"): string {
  return `delete from nsDomainGroupLinks
      where nsDomainId = ${row}.id and nsDomainGroupId in (select value from json_each(${row}.groupIds));`;
}
