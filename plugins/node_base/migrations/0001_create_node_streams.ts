import { type Kysely, sql } from "kysely";

/** The kernel has already created the table of sessions if nodes were connected when it handed their streams over. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table if not exists nodeStreamSessions (
      id text primary key,
      kind text not null,
      nodeId integer not null,
      holder text not null,
      openedAt integer not null
    ) strict, without rowid`.execute(db);
  await sql`create index nodeStreamSessions_node on nodeStreamSessions (kind, nodeId, openedAt)`.execute(db);
  await sql`create index nodeStreamSessions_holder on nodeStreamSessions (holder)`.execute(db);
  await sql`
    create table nodeStreamCommands (
      id integer primary key autoincrement,
      sessionId text not null,
      holder text not null,
      code text not null,
      dataJSON blob not null,
      expiresAt integer not null,
      isOk integer,
      message text,
      replyJSON blob
    ) strict`.execute(db);
  await sql`create index nodeStreamCommands_holder on nodeStreamCommands (holder, id)`.execute(db);
  await sql`create index nodeStreamCommands_session on nodeStreamCommands (sessionId)`.execute(db);
  await sql`create index nodeStreamCommands_age on nodeStreamCommands (expiresAt)`.execute(db);
  await sql`
    create table nodeStreamInstances (
      id text primary key,
      expiresAt integer not null
    ) strict, without rowid`.execute(db);
  // The instances that held these streams count as dead, so that their nodes are marked as disconnected.
  await sql`insert into nodeStreamInstances select distinct holder, 0 from nodeStreamSessions`.execute(db);
}
