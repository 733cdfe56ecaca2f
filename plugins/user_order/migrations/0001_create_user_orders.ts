import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userOrders (
      id integer primary key autoincrement,
      userId integer not null,
      code text not null,
      type text not null,
      orderMethodId integer not null,
      status text not null default 'none',
      -- in hundredths of the currency
      amount integer not null check (amount > 0),
      refundedAmount integer not null default 0 check (refundedAmount between 0 and amount),
      currency text not null,
      paramsJSON blob not null,
      payURL text not null default '',
      problem text not null default '',
      createdAt integer not null,
      expiresAt integer not null,
      cancelledAt integer not null default 0,
      finishedAt integer not null default 0,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index userOrders_code on userOrders (code)`.execute(db);
  await sql`create index userOrders_live on userOrders (id) where state = 1`.execute(db);
  await sql`create index userOrders_user on userOrders (userId, id) where state = 1`.execute(db);
  await sql`
    create index userOrders_open on userOrders (orderMethodId) where state = 1 and status in ('none', 'doing')`
    .execute(db);
  await sql`
    create table userOrderNotices (
      id integer primary key autoincrement,
      orderMethodId integer not null,
      eventId text not null,
      kind text not null,
      orderCode text not null,
      amount integer not null,
      currency text not null,
      result text not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create unique index userOrderNotices_event on userOrderNotices (orderMethodId, eventId)`.execute(db);
}
