import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table acmeTasks (
      id integer primary key autoincrement,
      userId integer not null,
      acmeUserId integer not null,
      dnsDomain text not null,
      domains text not null,
      autoRenew integer not null,
      authType text not null,
      authURL text not null,
      isOn integer not null default 1,
      createdAt integer not null,
      sslCertId integer not null default 0,
      timeEndAt integer not null default 0,
      dueAt integer not null,
      failures integer not null default 0,
      attempts integer not null default 0,
      claim text not null default '',
      claimedUntil integer not null default 0,
      warnedFor integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index acmeTasks_user on acmeTasks (userId, id) where state = 1`.execute(db);
  await sql`create index acmeTasks_live on acmeTasks (id) where state = 1`.execute(db);
  await sql`create index acmeTasks_acmeUser on acmeTasks (acmeUserId) where state = 1`.execute(db);
  await sql`create index acmeTasks_due on acmeTasks (dueAt) where state = 1 and dueAt > 0`.execute(db);
  await sql`create index acmeTasks_end on acmeTasks (timeEndAt) where state = 1`.execute(db);
  await sql`
    create table acmeOrders (
      id integer primary key autoincrement,
      acmeTaskId integer not null,
      registrationId integer not null,
      uniqueId text not null,
      sealedKey text not null,
      createdAt integer not null,
      requestedAt integer not null default 0,
      url text not null default '',
      step text not null default 'new',
      proofs text not null default '[]',
      answeredAt integer not null default 0,
      checks integer not null default 0,
      isOpen integer not null default 1
    ) strict`.execute(db);
  // one order of a task at a time
  await sql`create unique index acmeOrders_open on acmeOrders (acmeTaskId) where isOpen = 1`.execute(db);
  await sql`create index acmeOrders_task on acmeOrders (acmeTaskId, id)`.execute(db);
  await sql`create index acmeOrders_registration on acmeOrders (registrationId, createdAt)`.execute(db);
  await sql`
    create table acmeTaskLogs (
      id integer primary key autoincrement,
      acmeTaskId integer not null,
      isOk integer not null,
      error text not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create index acmeTaskLogs_task on acmeTaskLogs (acmeTaskId, id)`.execute(db);
}
