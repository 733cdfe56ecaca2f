import { type Kysely, sql } from "kysely";

/** What instances tell each other: which jobs are due, whose guesses failed, which nodes are connected where. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table kernel_leases add column dueAt integer not null default 0`.execute(db);
  await sql`
    create table kernel_login_failures (
      name text primary key,
      failures real not null,
      at integer not null
    ) strict, without rowid`.execute(db);
  await sql`create index kernel_login_failures_age on kernel_login_failures (at)`.execute(db);
  await sql`
    create table kernel_node_sessions (
      id text primary key,
      kind text not null,
      nodeId integer not null,
      holder text not null,
      openedAt integer not null
    ) strict, without rowid`.execute(db);
  await sql`create index kernel_node_sessions_node on kernel_node_sessions (kind, nodeId, openedAt)`.execute(db);
  await sql`create index kernel_node_sessions_holder on kernel_node_sessions (holder)`.execute(db);
  await sql`
    create table kernel_node_commands (
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
  await sql`create index kernel_node_commands_holder on kernel_node_commands (holder, id)`.execute(db);
  await sql`create index kernel_node_commands_session on kernel_node_commands (sessionId)`.execute(db);
  await sql`create index kernel_node_commands_age on kernel_node_commands (expiresAt)`.execute(db);
}
