import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userBills (
      id integer primary key autoincrement,
      userId integer not null,
      type text not null,
      pricePeriod text not null,
      -- such as 202601, and 2026-01-31
      month text not null,
      dayFrom text not null,
      dayTo text not null,
      description text not null,
      -- in hundredths of the currency
      amount integer not null,
      isPaid integer not null,
      paidAt integer not null,
      code text not null unique,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  // A user has one bill of a type that begins on a day; making it again finds it.
  await sql`
    create unique index userBills_key on userBills (userId, month, type, pricePeriod, dayFrom) where state = 1`.execute(
    db,
  );
  await sql`create index userBills_live on userBills (id) where state = 1`.execute(db);
  await sql`create index userBills_paid on userBills (isPaid, id) where state = 1`.execute(db);
  await sql`create index userBills_month on userBills (month, id) where state = 1`.execute(db);
  await sql`create index userBills_month_paid on userBills (month, isPaid, id) where state = 1`.execute(db);
  await sql`create index userBills_user on userBills (userId, id) where state = 1`.execute(db);
  await sql`
    create index userBills_unpaid on userBills (userId, createdAt, amount) where state = 1 and isPaid = 0`.execute(db);
  await sql`create index userBills_run on userBills (pricePeriod, month, userId, dayFrom) where state = 1`.execute(db);

  // How many bills there are, so that counting them reads months and not bills.
  await sql`
    create table userBillCounts (
      month text not null,
      isPaid integer not null,
      n integer not null,
      primary key (month, isPaid)
    ) strict, without rowid`.execute(db);
  const add = (row: "new" | "old", n: 1 | -1) =>
    sql.raw(`
      insert into userBillCounts (month, isPaid, n) select ${row}.month, ${row}.isPaid, ${n} where ${row}.state = 1
        on conflict (month, isPaid) do update set n = n + ${n};`);
  await sql`create trigger userBills_added after insert on userBills begin ${add("new", 1)} end`.execute(db);
  await sql`
    create trigger userBills_changed after update of isPaid, state on userBills
    begin ${add("old", -1)} ${add("new", 1)} end`.execute(db);

  // The days and months that were billed without being asked.
  await sql`create table userBillRuns (period text primary key, finishedAt integer not null) strict, without rowid`
    .execute(db);
}
