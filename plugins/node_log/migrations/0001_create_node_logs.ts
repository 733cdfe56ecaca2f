import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodeLogs (
      id integer primary key autoincrement,
      role text not null,
      nodeId integer not null,
      serverId integer not null,
      originId integer not null,
      level text not null,
      tag text not null,
      type text not null,
      description text not null,
      paramsJSON text not null,
      hash text not null,
      createdAt integer not null,
      count integer not null default 1,
      isRead integer not null,
      isFixed integer not null default 0
    ) strict`.execute(db);
  await sql`create index nodeLogs_node on nodeLogs (role, nodeId, id)`.execute(db);
  await sql`create index nodeLogs_hash on nodeLogs (hash, id)`.execute(db);
  await sql`create index nodeLogs_created on nodeLogs (createdAt)`.execute(db);
  await sql`create index nodeLogs_info on nodeLogs (createdAt) where level = 'info'`.execute(db);
  await sql`create index nodeLogs_unread on nodeLogs (role, nodeId, id) where isRead = 0`.execute(db);
  await sql`
    create index nodeLogs_unfixed on nodeLogs (role, nodeId, type)
    where isFixed = 0 and level = 'error' and type != ''`.execute(db);
  // One row: logs up to these ids are read and fixed, whatever they say themselves; and how many there are.
  await sql`
    create table nodeLogMarks (
      id integer primary key check (id = 1),
      readThrough integer not null,
      fixedThrough integer not null,
      total integer not null,
      unread integer not null
    ) strict`.execute(db);
  await sql`insert into nodeLogMarks values (1, 0, 0, 0, 0)`.execute(db);
  await sql`
    create trigger nodeLogs_inserted after insert on nodeLogs begin
      update nodeLogMarks set total = total + 1, unread = unread + (new.isRead = 0);
    end`.execute(db);
  await sql`
    create trigger nodeLogs_read after update of isRead on nodeLogs when old.isRead = 0 and new.isRead = 1 begin
      update nodeLogMarks set unread = unread - 1 where readThrough < old.id;
    end`.execute(db);
  await sql`
    create trigger nodeLogs_deleted after delete on nodeLogs begin
      update nodeLogMarks set total = total - 1, unread = unread - (old.isRead = 0 and readThrough < old.id);
    end`.execute(db);
  // Nodes that are deleted and whose logs are still to be removed.
  await sql`
    create table nodeLogRemovals (role text not null, nodeId integer not null, primary key (role, nodeId))
    strict, without rowid`.execute(db);
}
