import { type Kysely, sql } from "kysely";

/**
 * Which clusters a domain has left, so that their nodes hear of it, and which domains have things that are still to
 * follow them; both kept by triggers, so that no statement can forget it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDomainDepartures (
      nsClusterId integer not null,
      nsDomainId integer not null,
      version integer not null,
      primary key (nsClusterId, nsDomainId)
    ) strict, without rowid`.execute(db);
  await sql`create index nsDomainDepartures_version on nsDomainDepartures (nsClusterId, version)`.execute(db);
  await sql`create table nsDomainFollowings (nsDomainId integer primary key) strict`.execute(db);
  await sql`create index nsDomains_cluster_version on nsDomains (nsClusterId, version)`.execute(db);
  const follow = "insert into nsDomainFollowings (nsDomainId) values (new.id) on conflict do nothing;";
  for (
    const trigger of [
      `nsDomains_gone after update of state on nsDomains when old.state = 1 and new.state = 0 begin ${follow} end`,
      `nsDomains_moved after update of nsClusterId on nsDomains when old.nsClusterId <> new.nsClusterId begin
        ${follow}
        insert into nsDomainDepartures (nsClusterId, nsDomainId, version)
          values (old.nsClusterId, new.id, new.version)
          on conflict (nsClusterId, nsDomainId) do update set version = excluded.version;
        delete from nsDomainDepartures where nsClusterId = new.nsClusterId and nsDomainId = new.id;
      end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
}
