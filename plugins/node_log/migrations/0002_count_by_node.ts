import { type Kysely, sql } from "kysely";

/** Counts by node take the place of one count, and lists of unread logs and of a role get indexes that serve them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodeLogCounts (
      role text not null,
      nodeId integer not null,
      total integer not null,
      primary key (role, nodeId)
    ) strict, without rowid`.execute(db);
  await sql`insert into nodeLogCounts select role, nodeId, count(*) from nodeLogs group by role, nodeId`.execute(db);
  await sql`drop trigger nodeLogs_inserted`.execute(db);
  await sql`drop trigger nodeLogs_deleted`.execute(db);
  await sql`alter table nodeLogMarks drop column total`.execute(db);
  await sql`
    create trigger nodeLogs_inserted after insert on nodeLogs begin
      update nodeLogMarks set unread = unread + 1 where new.isRead = 0;
      insert into nodeLogCounts values (new.role, new.nodeId, 1)
        on conflict (role, nodeId) do update set total = total + 1;
    end`.execute(db);
  await sql`
    create trigger nodeLogs_deleted after delete on nodeLogs begin
      update nodeLogMarks set unread = unread - 1 where old.isRead = 0 and readThrough < old.id;
      update nodeLogCounts set total = total - 1 where role = old.role and nodeId = old.nodeId;
    end`.execute(db);
  await sql`create index nodeLogs_role on nodeLogs (role, id)`.execute(db);
  await sql`drop index nodeLogs_unread`.execute(db);
  await sql`create index nodeLogs_unread on nodeLogs (id) where isRead = 0`.execute(db);
}
