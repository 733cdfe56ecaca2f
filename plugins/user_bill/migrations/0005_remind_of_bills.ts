import { type Kysely, sql } from "kysely";

/** The bills of which a reminder is an event. Those that are unpaid already have none: they may be overdue since long. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table userBills add column isDueTold integer not null default 0`.execute(db);
  await sql`update userBills set isDueTold = 1 where isPaid = 0`.execute(db);
  await sql`create index userBills_due on userBills (isDueTold, isPaid, createdAt) where state = 1`.execute(db);
}
