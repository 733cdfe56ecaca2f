import { type Kysely, sql } from "kysely";

/** The bills whose delay is an event. Those that are unpaid already have none, since it may have been long ago. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table userBills add column isOverdueTold integer not null default 0`.execute(db);
  await sql`update userBills set isOverdueTold = 1 where isPaid = 0`.execute(db);
  await sql`
    create index userBills_untold on userBills (isOverdueTold, isPaid, createdAt) where state = 1`.execute(db);
}
