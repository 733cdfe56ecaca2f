import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table logs (
      id integer primary key autoincrement,
      level text not null,
      action text not null,
      description text not null,
      ip text not null,
      adminId integer not null,
      userId integer not null,
      createdAt integer not null,
      bytes integer generated always as (64 + octet_length(action) + octet_length(description) + octet_length(ip)) virtual
    ) strict`.execute(db);
  await sql`create index logs_created on logs (createdAt)`.execute(db);
  // One row: how many logs there are, and about how much space they take.
  await sql`
    create table logTotals (
      id integer primary key check (id = 1),
      count integer not null,
      bytes integer not null
    ) strict`.execute(db);
  await sql`insert into logTotals values (1, 0, 0)`.execute(db);
  await sql`
    create trigger logs_inserted after insert on logs begin
      update logTotals set count = count + 1, bytes = bytes + new.bytes;
    end`.execute(db);
  await sql`
    create trigger logs_deleted after delete on logs begin
      update logTotals set count = count - 1, bytes = bytes - old.bytes;
    end`.execute(db);
}
