import { type Call, type Db, type Page, rowCount } from "edgehelm";
import { type Kysely, sql } from "kysely";
import type { Tables, UserPlanRow } from "./store.ts";

/** A range of days for the last day of a plan, including both ends. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The filter of lists and counts. */
export interface Filter {
  /** 0 matches any. */
  readonly userId: bigint;
  /** Undefined matches any. */
  readonly days: Days | undefined;
}

const ANY_DAY: Days = { from: "", to: "9999-99-99" };
const MAX_USABLE = 1000;

/** Lists and counts user plans. Each shape of filter has an index that also provides the order. */
export function userPlanLists(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("userPlans").where("state", "=", 1n);
  const ofUser = (q: Kysely<Tables>, p: { userId: bigint } & Days) =>
    live(q).where("userId", "=", p.userId).where("dayTo", ">=", p.from).where("dayTo", "<=", p.to);
  const pages = {
    all: db.query((q, p: Page) => live(q).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)),
    ofUser: db.query((q, p: { userId: bigint } & Days & Page) =>
      ofUser(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    ofDays: db.query((q, p: Days & Page) =>
      live(q).selectAll().where("dayTo", ">=", p.from).where("dayTo", "<=", p.to).orderBy("dayTo").orderBy("id")
        .limit(p.size).offset(p.offset)
    ),
  };
  const counts = {
    ofUser: db.query((q, p: { userId: bigint } & Days) => ofUser(q, p).select(rowCount)),
    ofDays: db.query((q, p: Days) =>
      q.selectFrom("userPlanDays").select(sql<bigint>`coalesce(sum(n), 0)`.as("count")).where("dayTo", ">=", p.from)
        .where("dayTo", "<=", p.to)
    ),
  };
  const usable = db.query((q, p: { userId: bigint; day: string }) =>
    live(q).selectAll().where("userId", "=", p.userId).where("dayTo", ">=", p.day).where("isOn", "=", 1n)
      .orderBy("id", "desc").limit(MAX_USABLE)
  );

  return {
    /** Returns user plans, newest first; with a range of days, those that expire earliest first. */
    list(call: Call, { userId, days }: Filter, page: Page): Promise<UserPlanRow[]> {
      if (userId !== 0n) return pages.ofUser.all(call, { userId, ...days ?? ANY_DAY, ...page });
      return days === undefined ? pages.all.all(call, page) : pages.ofDays.all(call, { ...days, ...page });
    },
    count(call: Call, { userId, days = ANY_DAY }: Filter): Promise<{ count: bigint }> {
      return userId === 0n ? counts.ofDays.one(call, days) : counts.ofUser.one(call, { userId, ...days });
    },
    /** Returns the plans of a user that are turned on and have not expired on the day. */
    usable: (call: Call, userId: bigint, day: string): Promise<UserPlanRow[]> => usable.all(call, { userId, day }),
  };
}

export type UserPlanLists = ReturnType<typeof userPlanLists>;
