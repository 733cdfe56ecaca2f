import { type Kysely, sql } from "kysely";

/**
 * What lists and counts stand on, kept by triggers, so that no statement can forget it: links to groups, the search
 * index, and the number of live domains in each bucket of ids, for every filter (0 stands for any) and status.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDomainGroupLinks (
      nsDomainGroupId integer not null,
      nsDomainId integer not null,
      primary key (nsDomainGroupId, nsDomainId)
    ) strict, without rowid`.execute(db);
  await sql`
    create table nsDomainBuckets (
      userId integer not null,
      nsClusterId integer not null,
      nsDomainGroupId integer not null,
      idBits integer not null,
      bucket integer not null,
      status text not null,
      n integer not null,
      primary key (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status)
    ) strict, without rowid`.execute(db);
  await sql`
    create virtual table nsDomainSearch
    using fts5(name, content='', contentless_delete=1, detail=none, tokenize='trigram')`.execute(db);

  const appear = `${count("new", 1)} ${link("new")}
    insert into nsDomainSearch (rowid, name) values (new.id, new.name);`;
  const vanish = `${count("old", -1)} ${unlink("old")}
    delete from nsDomainSearch where rowid = old.id;`;
  const change = `${count("old", -1)} ${unlink("old")} ${count("new", 1)} ${link("new")}`;
  for (
    const trigger of [
      `nsDomains_created after insert on nsDomains when new.state = 1 begin ${appear} end`,
      `nsDomains_deleted after update of state on nsDomains when old.state = 1 and new.state = 0 begin ${vanish} end`,
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
        (select 10 as value union select 20) b
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
