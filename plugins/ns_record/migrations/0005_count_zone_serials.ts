import { type Kysely, sql } from "kysely";

/**
 * The serial of each zone, kept by triggers, so that no statement can forget it: it follows the clock, so that it is
 * higher after the restore of a backup, and increases once for all the rows that have the same `base`, the last version
 * before their change.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsRecordZones (
      nsDomainId integer primary key,
      nsClusterId integer not null,
      serial integer not null,
      base integer not null,
      version integer not null
    ) strict`.execute(db);
  await sql`create index nsRecordZones_cluster on nsRecordZones (nsClusterId, version)`.execute(db);
  await sql`create index nsRecords_domain_version on nsRecords (nsDomainId, version)`.execute(db);
  await sql`
    insert into nsRecordZones (nsDomainId, nsClusterId, serial, base, version)
      select nsDomainId, max(nsClusterId), unixepoch(), -1, max(version) from nsRecords group by nsDomainId`
    .execute(db);
  for (const [name, event] of [["inserted", "insert"], ["republished", "update of version"]] as const) {
    await sql`
      create trigger ${sql.raw(`nsRecords_${name}`)} after ${sql.raw(event)} on nsRecords begin
        insert into nsRecordZones (nsDomainId, nsClusterId, serial, base, version)
          values (new.nsDomainId, new.nsClusterId, unixepoch(), (select version from nsRecords_versions), new.version)
          on conflict (nsDomainId) do update set
            nsClusterId = excluded.nsClusterId,
            serial = iif(base = excluded.base, serial, max(serial + 1, excluded.serial)),
            base = excluded.base,
            version = max(version, excluded.version);
      end`.execute(db);
  }
}
