import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table messageReceivers (
      id integer primary key autoincrement,
      role text not null,
      clusterId integer not null,
      nodeId integer not null,
      serverId integer not null,
      type text not null,
      messageRecipientId integer not null,
      messageRecipientGroupId integer not null,
      paramsJSON text not null
    ) strict`.execute(db);
  await sql`create index messageReceivers_target
    on messageReceivers (role, clusterId, nodeId, serverId, id)`.execute(db);
  await sql`create index messageReceivers_type on messageReceivers (type, id)`.execute(db);
  await sql`create index messageReceivers_recipient on messageReceivers (messageRecipientId, id)`.execute(db);
  await sql`create index messageReceivers_group on messageReceivers (messageRecipientGroupId, id)`.execute(db);
}
