import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userInvoices (
      id integer primary key autoincrement,
      userId integer not null,
      number text not null unique,
      kind text not null check (kind in ('invoice', 'creditNote')),
      -- the invoice that a credit note corrects, or 0
      correctsId integer not null,
      year integer not null,
      day text not null,
      seller text not null,
      name text not null,
      address text not null,
      country text not null,
      taxNumber text not null,
      -- a JSON array of descriptions and amounts as texts
      lines text not null,
      -- in hundredths of the currency, negative for credit notes
      netAmount integer not null,
      taxAmount integer not null,
      totalAmount integer not null check (totalAmount = netAmount + taxAmount),
      -- in millionths
      taxRate integer not null,
      taxLabel text not null,
      currency text not null,
      note text not null,
      createdAt integer not null
    ) strict`.execute(db);
  await sql`create index userInvoices_user on userInvoices (userId, id)`.execute(db);
  await sql`create index userInvoices_year on userInvoices (year, id)`.execute(db);
  await sql`create index userInvoices_corrects on userInvoices (correctsId) where correctsId <> 0`.execute(db);
  for (const change of ["update", "delete"]) {
    await sql`
      create trigger ${sql.raw(`userInvoices_no_${change}`)} before ${sql.raw(change)} on userInvoices
      begin select raise(abort, 'an invoice never changes'); end`.execute(db);
  }
  await sql`
    create table userInvoiceEntries (
      -- a transaction of an account, which is on one invoice
      entryId integer primary key,
      userInvoiceId integer not null
    ) strict`.execute(db);
  await sql`
    create table userInvoiceSeries (
      series text not null,
      year integer not null,
      last integer not null,
      primary key (series, year)
    ) strict, without rowid`.execute(db);
  await sql`
    create table userInvoiceAddresses (
      -- the user's
      id integer primary key,
      name text not null,
      address text not null,
      country text not null,
      taxNumber text not null
    ) strict`.execute(db);
}
