import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userOrderRefunds (
      id integer primary key autoincrement,
      userId integer not null,
      code text not null,
      orderId integer not null,
      orderCode text not null,
      orderMethodId integer not null,
      -- in hundredths of the currency
      amount integer not null check (amount > 0),
      currency text not null,
      reason text not null,
      status text not null default 'waiting',
      problem text not null default '',
      attempts integer not null default 0,
      nextAt integer not null,
      createdAt integer not null,
      finishedAt integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index userOrderRefunds_code on userOrderRefunds (code)`.execute(db);
  await sql`create index userOrderRefunds_order on userOrderRefunds (orderId, id)`.execute(db);
  await sql`create index userOrderRefunds_due on userOrderRefunds (nextAt, id) where status = 'waiting'`.execute(db);
  await sql`create index userOrderRefunds_live on userOrderRefunds (id) where state = 1`.execute(db);
  await sql`create index userOrderRefunds_user on userOrderRefunds (userId, id) where state = 1`.execute(db);
}
