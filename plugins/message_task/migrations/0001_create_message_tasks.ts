import { type Kysely, sql } from "kysely";

/** Counts are kept by triggers, so that no statement can forget them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table messageTasks (
      id integer primary key autoincrement,
      messageRecipientId integer not null,
      messageMediaInstanceId integer not null,
      "user" text not null,
      subject text not null,
      body text not null,
      isPrimary integer not null,
      hash text not null,
      status integer not null default 0,
      startedAt integer not null default 0,
      sentAt integer not null default 0,
      error text not null default '',
      response text not null default '',
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "index messageTasks_status on messageTasks (status, isPrimary desc, id) where state = 1",
      "index messageTasks_hash on messageTasks (hash, createdAt)",
      "index messageTasks_createdAt on messageTasks (createdAt)",
      "index messageTasks_recipient on messageTasks (messageRecipientId, id) where state = 1",
      "index messageTasks_instance on messageTasks (messageMediaInstanceId, id) where state = 1",
      "index messageTasks_sent on messageTasks (messageMediaInstanceId, startedAt)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`create table messageTaskCounts (status integer primary key, n integer not null) strict`.execute(db);
  await sql`insert into messageTaskCounts (status, n) values (0, 0), (1, 0), (2, 0), (3, 0)`.execute(db);
  // Recipients (kind 1) and instances (kind 2) whose messages are to be dropped.
  await sql`
    create table messageTaskDrops (
      kind integer not null,
      targetId integer not null,
      primary key (kind, targetId)
    ) strict, without rowid`.execute(db);
  const count = (row: "new" | "old", step: 1 | -1) =>
    `update messageTaskCounts set n = n + ${step} where status = ${row}.status;`;
  for (
    const trigger of [
      `messageTasks_created after insert on messageTasks begin ${count("new", 1)} end`,
      `messageTasks_changed after update of status on messageTasks when old.state = 1 and new.state = 1
        begin ${count("old", -1)} ${count("new", 1)} end`,
      `messageTasks_deleted after update of state on messageTasks when old.state = 1 and new.state = 0
        begin ${count("old", -1)} end`,
      `messageTasks_removed after delete on messageTasks when old.state = 1 begin ${count("old", -1)} end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
}
