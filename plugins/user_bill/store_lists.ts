import { type Call, type Db, type Page, rowCount } from "edgehelm";
import { memoizeByShape } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { Tables, UserBillRow } from "./store.ts";

/** The filter of lists and counts. */
export interface Filter {
  /** 0 matches any. */
  readonly userId: bigint;
  /** Such as 202601; "" matches any. */
  readonly month: string;
  /** Undefined matches any. */
  readonly isPaid: bigint | undefined;
}

/** The latest last day of daily and monthly bills. */
export interface Ages {
  readonly daily: string;
  readonly monthly: string;
}

type Values = { readonly userId: bigint; readonly month: string; readonly isPaid: bigint };

/** Lists bills, newest first, and counts them. */
export function userBillLists(db: Db<Tables>) {
  const statementsFor = memoizeByShape(
    ({ userId, month, isPaid }: Filter) => [userId !== 0n, month !== "", isPaid !== undefined],
    (filter) => compile(db, filter),
  );

  const countOfMonths = db.query((q, p: { month: string; paidFrom: bigint; paidTo: bigint }) =>
    q.selectFrom("userBillCounts").select(sql<bigint>`coalesce(sum(n), 0)`.as("count"))
      .where(sql<SqlBool>`${p.month} in ('', month)`).where("isPaid", ">=", p.paidFrom).where("isPaid", "<=", p.paidTo)
  );

  return {
    list(call: Call, filter: Filter, page: Page): Promise<UserBillRow[]> {
      return statementsFor(filter).page.all(call, { ...valuesOf(filter), ...page });
    },
    count(call: Call, filter: Filter): Promise<{ count: bigint }> {
      if (filter.userId !== 0n) return statementsFor(filter).count.one(call, valuesOf(filter));
      const { month, isPaid } = filter;
      return countOfMonths.one(call, { month, paidFrom: isPaid ?? 0n, paidTo: isPaid ?? 1n });
    },
    /** Counts the matching bills up to the given ages. Scans them outside the event loop. */
    async countOfAge(call: Call, filter: Filter, ages: Ages): Promise<{ count: bigint }> {
      return (await statementsFor(filter).countOfAge.scan(call, { ...valuesOf(filter), ...ages }))[0]!;
    },
  };
}

export type UserBillLists = ReturnType<typeof userBillLists>;

function valuesOf({ userId, month, isPaid = 0n }: Filter): Values {
  return { userId, month, isPaid };
}

function compile(db: Db<Tables>, filter: Filter) {
  // a user has few bills: the unary plus makes the planner use the index by user
  const column = (name: string) => sql<SqlBool>`${sql.raw(filter.userId === 0n ? "" : "+")}${sql.ref(name)}`;
  const filtered = (q: Kysely<Tables>, p: Values) =>
    q.selectFrom("userBills").where("state", "=", 1n)
      .$if(filter.userId !== 0n, (query) => query.where("userId", "=", p.userId))
      .$if(filter.month !== "", (query) => query.where(sql<SqlBool>`${column("month")} = ${p.month}`))
      .$if(filter.isPaid !== undefined, (query) => query.where(sql<SqlBool>`${column("isPaid")} = ${p.isPaid}`));
  return {
    page: db.query((q, p: Values & Page) =>
      filtered(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: Values) => filtered(q, p).select(rowCount)),
    countOfAge: db.query((q, p: Values & Ages) =>
      filtered(q, p).select(rowCount).where(sql<SqlBool>`dayTo <= iif(pricePeriod = 'daily', ${p.daily}, ${p.monthly})`)
    ),
  };
}
