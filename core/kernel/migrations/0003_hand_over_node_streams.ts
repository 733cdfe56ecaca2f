import { type Kysely, sql } from "kysely";

/**
 * The streams of nodes belong to the plugin node_base. If nodes are connected, or were when all instances crashed, it
 * gets their sessions in its own table, which its first migration expects. Otherwise that migration creates the table.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { rows } = await sql`select id from kernel_node_sessions limit 1`.execute(db);
  if (rows.length > 0) {
    await sql`
      create table nodeStreamSessions (
        id text primary key,
        kind text not null,
        nodeId integer not null,
        holder text not null,
        openedAt integer not null
      ) strict, without rowid`.execute(db);
    await sql`
      insert into nodeStreamSessions (id, kind, nodeId, holder, openedAt)
      select id, kind, nodeId, holder, openedAt from kernel_node_sessions`.execute(db);
  }
  await sql`drop table kernel_node_sessions`.execute(db);
  await sql`drop table kernel_node_commands`.execute(db);
  await sql`delete from kernel_leases where name >= 'instance ' and name < 'instance ~'`.execute(db);
  await sql`delete from kernel_leases where name = 'kernel.sweep_node_streams'`.execute(db);
}
