import { type Kysely, sql } from "kysely";

/** Counts and links to routes are kept by triggers, so that no statement can forget them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsRecords (
      id integer primary key autoincrement,
      nsDomainId integer not null,
      nsClusterId integer not null,
      description text not null,
      name text not null,
      type text not null,
      value text not null,
      ttl integer not null,
      weight integer not null,
      mxPriority integer not null,
      srvPriority integer not null,
      srvWeight integer not null,
      srvPort integer not null,
      caaFlag integer not null,
      caaTag text not null,
      routeCodes text not null,
      healthCheckJSON blob,
      isOn integer not null default 1,
      isUp integer not null default 1,
      createdAt integer not null,
      version integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "index nsRecords_domain on nsRecords (nsDomainId, id) where state = 1",
      "index nsRecords_name on nsRecords (nsDomainId, name, type, id) where state = 1",
      "index nsRecords_type on nsRecords (nsDomainId, type, id) where state = 1",
      "unique index nsRecords_version on nsRecords (version)",
      "index nsRecords_cluster_version on nsRecords (nsClusterId, version)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  // Routes that were created and the records that use them; built-in routes cannot be deleted.
  await sql`
    create table nsRecordRoutes (
      routeCode text not null,
      nsRecordId integer not null,
      primary key (routeCode, nsRecordId)
    ) strict, without rowid`.execute(db);
  await sql`
    create table nsRecordCounts (
      nsDomainId integer not null,
      type text not null,
      n integer not null,
      primary key (nsDomainId, type)
    ) strict, without rowid`.execute(db);
  await sql`create table nsRecordVersions (id integer primary key, version integer not null) strict`.execute(db);
  await sql`insert into nsRecordVersions (id, version) values (1, 0)`.execute(db);

  const appear = `${count("new", 1)} ${link}`;
  const vanish = `${count("old", -1)} ${unlink}`;
  for (
    const trigger of [
      `nsRecords_created after insert on nsRecords when new.state = 1 begin ${appear} end`,
      `nsRecords_deleted after update of state on nsRecords when old.state = 1 and new.state = 0 begin ${vanish} end`,
      `nsRecords_changed after update of type, routeCodes on nsRecords
        when new.state = 1 and (old.type, old.routeCodes) <> (new.type, new.routeCodes) begin ${vanish} ${appear} end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
}

function count(row: "new" | "old", step: 1 | -1): string {
  return `insert into nsRecordCounts (nsDomainId, type, n) values (${row}.nsDomainId, ${row}.type, ${step})
    on conflict (nsDomainId, type) do update set n = n + excluded.n;`;
}

const link = `insert into nsRecordRoutes (routeCode, nsRecordId)
  select distinct value, new.id from json_each(new.routeCodes) where value like 'id:%';`;
const unlink = `delete from nsRecordRoutes
  where nsRecordId = old.id and routeCode in (select value from json_each(old.routeCodes));`;
