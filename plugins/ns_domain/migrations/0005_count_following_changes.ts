import { type Kysely, sql } from "kysely";

/** `changes` tells a following that began before a domain's last change from one that began after it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table nsDomainFollowings add column changes integer not null default 1`.execute(db);
  const follow = `insert into nsDomainFollowings (nsDomainId, changes) values (new.id, 1)
    on conflict (nsDomainId) do update set changes = changes + 1;`;
  for (const trigger of ["gone", "moved"]) await sql`drop trigger ${sql.raw(`nsDomains_${trigger}`)}`.execute(db);
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
