import { type Call, type Db, type Page, rowCount } from "edgehelm";
import { type Kysely, sql } from "kysely";
import type { Tables, UserPlanRow } from "./store.ts";

/** Days that the last day of a plan is within. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Which plans a list or a count takes. */
export interface Filter {
  /** 0 stands for any. */
  readonly userId: bigint;
  /** Undefined stands for any. */
  readonly days: Days | undefined;
}

const EVER: Days = { from: "", to: "9999-99-99" };
const MAX_USABLE = 1000;

/** Lists and counts. Each shape of filter finds its rows in an index, in the order in which they are shown. */
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
    /** Newest first; those of certain days the soonest to expire first. */
    list(call: Call, { userId, days }: Filter, page: Page): Promise<UserPlanRow[]> {
      if (userId !== 0n) return pages.ofUser.all(call, { userId, ...days ?? EVER, ...page });
      return days === undefined ? pages.all.all(call, page) : pages.ofDays.all(call, { ...days, ...page });
    },
    count(call: Call, { userId, days = EVER }: Filter): Promise<{ count: bigint }> {
      return userId === 0n ? counts.ofDays.one(call, days) : counts.ofUser.one(call, { userId, ...days });
    },
    /** Plans of a user that are on and have not expired on that day. */
    usable: (call: Call, userId: bigint, day: string): Promise<UserPlanRow[]> => usable.all(call, { userId, day }),
  };
}

export type UserPlanLists = ReturnType<typeof userPlanLists>;
