import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // What each bill charged for which days of a user. The sum for some days is what was charged for them.
  await sql`
    create table userBillCharges (
      userId integer not null,
      -- such as 2026-01-31, both included
      dayFrom text not null,
      dayTo text not null,
      billId integer not null,
      -- that of the bill; empty if the bill is of later days and corrects what was charged for these
      pricePeriod text not null,
      -- in hundredths of the currency
      amount integer not null,
      -- the prices by server, as numbers of userBillPricings
      terms text not null,
      primary key (userId, dayFrom, dayTo, billId)
    ) strict, without rowid`.execute(db);
  await sql`create index userBillCharges_bill on userBillCharges (billId)`.execute(db);
  await sql`
    insert into userBillCharges (userId, dayFrom, dayTo, billId, pricePeriod, amount, terms)
      select userId, dayFrom, dayTo, id, pricePeriod, amount, '{}' from userBills where state = 1`.execute(db);

  await sql`create table userBillPricings (id integer primary key, text text not null unique) strict`.execute(db);

  // Days whose traffic arrived after their bills were begun.
  await sql`
    create table userBillLateDays (
      userId integer not null,
      day text not null,
      version integer not null,
      primary key (userId, day)
    ) strict, without rowid`.execute(db);

  // One row: the days for which bills have been made, and the day since which they are made without being asked.
  await sql`
    create table userBillScope (
      id integer primary key check (id = 1),
      billedFrom text not null,
      billedTo text not null,
      automaticSince text not null
    ) strict`.execute(db);
  await sql`
    insert into userBillScope (id, billedFrom, billedTo, automaticSince)
      select 1, coalesce(min(dayFrom), ''), coalesce(max(dayTo), ''), '' from userBills where state = 1`.execute(db);
}
