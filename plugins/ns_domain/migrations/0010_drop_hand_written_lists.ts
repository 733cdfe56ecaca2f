import { type Kysely, sql } from "kysely";

/** The declared list and feed have replaced what was written by hand. Versions and departures are taken over. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const trigger of ["deleted", "deletedEarly", "changed", "moved"]) {
    await sql`drop trigger ${sql.raw(`nsDomains_${trigger}`)}`.execute(db);
  }
  await sql`
    create trigger nsDomains_moved after update of nsClusterId on nsDomains
      when old.nsClusterId <> new.nsClusterId begin
        insert into nsDomainFollowings (nsDomainId, changes) values (new.id, 1)
          on conflict (nsDomainId) do update set changes = changes + 1;
      end`.execute(db);
  for (const index of ["live", "user", "cluster", "user_cluster", "version", "cluster_version"]) {
    await sql`drop index ${sql.raw(`nsDomains_${index}`)}`.execute(db);
  }
  await sql`
    insert into nsDomains_departures (scope, id, version)
      select nsClusterId, nsDomainId, version from nsDomainDepartures`.execute(db);
  await sql`
    update nsDomains_versions set version = max(version, (select version from nsDomainVersions))`.execute(db);
  for (const table of ["GroupLinks", "Buckets", "Search", "SearchState", "SearchRemovals", "Versions", "Departures"]) {
    await sql`drop table ${sql.raw(`nsDomain${table}`)}`.execute(db);
  }
}
