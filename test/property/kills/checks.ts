import { join } from "node:path";
import Database from "libsql";
import { OVERDUE_DAYS } from "./settings.ts";

/** A rule of the database: a query that finds what breaks it. */
interface Check {
  readonly rule: string;
  readonly sql: string;
}

const payments = "json_extract(paramsJSON, '$.orderCode')";

/** Each query selects a text for each thing that is half done. */
const CHECKS: readonly Check[] = [
  {
    rule: "the balance is the sum of the entries",
    sql: `select a.id || ': ' || a.total from userAccounts a
      where a.total <> (select coalesce(sum(delta), 0) from userAccountLogs l where l.userAccountId = a.id)`,
  },
  {
    rule: "each entry follows the one before",
    sql: `select id from (select id, total,
        sum(delta) over (partition by userAccountId order by id) as added from userAccountLogs) where total <> added`,
  },
  {
    rule: "a bill is made once per user and month",
    sql: `select userId || ' ' || month from userBills where state = 1 and pricePeriod = 'monthly'
      group by userId, month, dayFrom having count(*) > 1`,
  },
  {
    rule: "no day is on two bills",
    sql: `select a.id || ' ' || b.id from userBills a join userBills b on a.userId = b.userId and a.id < b.id
      and a.dayFrom <= b.dayTo and b.dayFrom <= a.dayTo where a.state = 1 and b.state = 1`,
  },
  {
    rule: "the lines of a bill add up",
    sql: `select b.id || ': ' || b.amount from userBills b where b.state = 1
      and b.amount <> (select coalesce(sum(c.amount), 0) from userBillCharges c where c.billId = b.id)`,
  },
  {
    rule: "each line is on a bill",
    sql: `select billId from userBillCharges where billId <> 0 and billId not in (select id from userBills)`,
  },
  {
    rule: "a bill is paid once if it is paid, and not otherwise",
    sql: `select b.id || ': ' || b.isPaid from userBills b where b.amount > 0
      and b.isPaid * b.amount <> (select coalesce(-sum(delta), 0) from userAccountLogs
        where eventType = 'payBill' and json_extract(paramsJSON, '$.userBillId') = cast(b.id as text))`,
  },
  {
    rule: "a plan lasts until the day that was paid for",
    sql: `select u.id || ': ' || u.dayTo from userPlans u join plans p on p.id = u.planId
      where u.dayTo is not (select substr(description, -10) from userAccountLogs
        where eventType = 'buyPlan' and description like 'plan "' || p.name || '",%' order by id desc limit 1)`,
  },
  {
    rule: "each paid plan was given to its user",
    sql: `select l.description from userAccountLogs l where l.eventType = 'buyPlan' and not exists (
      select 1 from userPlans u join plans p on p.id = u.planId
        where u.userId = l.userAccountId and l.description like 'plan "' || p.name || '",%')`,
  },
  {
    rule: "there are as many packages as were paid for",
    sql: `select id from users where 500 * (select count(*) from userTrafficPackages where userId = users.id)
      <> (select coalesce(-sum(delta), 0) from userAccountLogs
        where userAccountId = users.id and eventType = 'buyTrafficPackage')`,
  },
  {
    rule: "what is used of a package is what bills used of it",
    sql: `select id from userTrafficPackages where usedBytes
      <> (select coalesce(sum(bytes), 0) from userTrafficPackageDraws where packageId = userTrafficPackages.id)`,
  },
  {
    // a notice is noted first, and has another result when it is booked
    rule: "a notice of a payment was booked, or has a problem",
    sql: `select eventId from userOrderNotices where kind = 'paid' and result = 'noted'`,
  },
  {
    rule: "an order is booked once if it is finished, and not otherwise",
    sql: `select code from userOrders where iif(status = 'finished', amount, 0)
      <> (select coalesce(sum(delta), 0) from userAccountLogs where eventType = 'charge' and ${payments} = code)`,
  },
  {
    rule: "a finished order has made its purchase",
    sql: `select id from users where (select count(*) from userOrders
        where userId = users.id and type = 'buyTrafficPackage' and status = 'finished' and problem not like 'the purchase%')
      <> (select count(*) from userAccountLogs where userAccountId = users.id and eventType = 'buyTrafficPackage'
        and description like '%in "Orders"')`,
  },
  {
    rule: "what is refunded of an order is what was booked or is owed for it",
    sql: `select code from userOrders where refundedAmount <> (select coalesce(-sum(delta), 0) from userAccountLogs
        where eventType in ('paymentRefund', 'chargeback', 'refund') and ${payments} = code)
      + (select coalesce(sum(amount), 0) from userAccountDebts where ${payments} = code)`,
  },
  {
    rule: "the numbers of invoices have no gaps",
    sql: `select number from (select number, row_number() over (partition by kind, year order by id) as place
      from userInvoices) where cast(substr(number, -6) as integer) <> place`,
  },
  {
    rule: "a series knows its last number",
    sql: `select series from userInvoiceSeries where last <> (select count(*) from userInvoices
      where number like series || '-' || userInvoiceSeries.year || '-%')`,
  },
  {
    rule: "an invoice is over the entries that it closes",
    sql: `select number from userInvoices where kind = 'invoice' and totalAmount <> (select coalesce(-sum(delta), 0)
      from userInvoiceEntries e join userAccountLogs l on l.id = e.entryId where e.userInvoiceId = userInvoices.id)`,
  },
  {
    rule: "states are those that follow from the rest",
    sql: `select id || ' ' || userState from users where userState <> case
      when state = 0 then 'deleted' when isRejected = 1 then 'rejected' when isOn = 0 then 'off'
      when exists (select 1 from userBills b where b.userId = users.id and isPaid = 0 and b.state = 1
        and b.createdAt < $now - ${OVERDUE_DAYS} * 86400) then 'suspended'
      when exists (select 1 from userAccountDebts d where d.userAccountId = users.id
        and d.createdAt < $now - 7 * 86400) then 'suspended'
      when isVerified = 0 then 'unverified' else 'verified' end`,
  },
  {
    rule: "no job keeps others from running",
    sql: `select name from kernel_leases where dueAt <= $now * 1000`,
  },
  { rule: "foreign keys hold", sql: `select "table" || ' ' || rowid from pragma_foreign_key_check` },
];

/** Finds what is half done in a database. */
export function brokenRules(directory: string, now: number): string[] {
  const seconds = String(Math.floor(now / 1000));
  const broken = CHECKS.flatMap(({ rule, sql }) =>
    values(directory, sql.replaceAll("$now", seconds)).map((found) => `${rule}: ${found}`)
  );
  const integrity = values(directory, "pragma integrity_check");
  return integrity[0] === "ok" ? broken : [...broken, `integrity: ${integrity}`];
}

/** Returns the values that a query selects. */
export function values(directory: string, sql: string): unknown[] {
  const database = new Database(join(directory, "edgehelm.db"), { readonly: true });
  try {
    return (database.prepare(sql).raw().all() as [unknown][]).map(([value]) => value);
  } finally {
    database.close();
  }
}
