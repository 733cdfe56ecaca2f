import { type Kysely, sql } from "kysely";

/**
 * Data of other plugins follows when nodes begin or cease to answer for a domain. Domains that nodes should never have
 * received get new versions, those of owners who are not served in the background.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create trigger nsDomains_served after update of isOn, status, userId on nsDomains
      when new.state = 1 and (old.isOn, old.status = 'verified', old.userId)
        <> (new.isOn, new.status = 'verified', new.userId) begin
        insert into nsDomainFollowings (nsDomainId, changes) values (new.id, 1)
          on conflict (nsDomainId) do update set changes = changes + 1;
      end`.execute(db);
  await sql`
    create table nsDomainOwnerChanges (
      userId integer primary key,
      changes integer not null,
      onlyIfNotServed integer not null
    ) strict`.execute(db);
  await sql`
    insert into nsDomainOwnerChanges (userId, changes, onlyIfNotServed)
      select distinct userId, 1, 1 from nsDomains where state = 1 and userId <> 0`.execute(db);

  const withheld = sql.raw("state = 1 and (status <> 'verified' or isOn = 0)");
  await sql`
    insert into nsDomainFollowings (nsDomainId, changes) select id, 1 from nsDomains where ${withheld}
      on conflict (nsDomainId) do update set changes = changes + 1`.execute(db);
  await sql`
    update nsDomains set version = (select version from nsDomains_versions) + item.number
      from (select id, row_number() over (order by id) as number from nsDomains where ${withheld}) as item
      where nsDomains.id = item.id`.execute(db);
  await sql`
    update nsDomains_versions set version = max(version, (select coalesce(max(version), 0) from nsDomains))`
    .execute(db);
}
