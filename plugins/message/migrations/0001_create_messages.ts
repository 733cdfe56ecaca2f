import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table messages (
      id integer primary key autoincrement,
      userId integer not null,
      modules text not null,
      type text not null,
      level text not null,
      subject text not null,
      body text not null,
      paramsJSON text not null,
      role text not null,
      nodeClusterId integer not null,
      nodeId integer not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create index messages_userId on messages (userId, id)`.execute(db);
  await sql`create index messages_createdAt on messages (createdAt)`.execute(db);
  // The readers are admins (role admin) and users (role user).
  await sql`
    create table messageReads (
      role text not null,
      readerId integer not null,
      messageId integer not null,
      isRead integer not null,
      primary key (role, readerId, messageId)
    ) strict, without rowid`.execute(db);
  await sql`create index messageReads_messageId on messageReads (messageId)`.execute(db);
  await sql`
    create table messageMarks (
      role text not null,
      readerId integer not null,
      readThrough integer not null,
      primary key (role, readerId)
    ) strict, without rowid`.execute(db);
}
