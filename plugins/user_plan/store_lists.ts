import type { Call, Db, Page } from "edgehelm";
import { type Kysely, sql } from "kysely";
import type { Tables, UserPlanRow } from "./store.ts";

/** Which plans a list or a count takes. */
export interface Filter {
  /** 0 stands for any. */
  readonly userId: bigint;
  /** Days that the last day is within; undefined for any. */
  readonly days: { readonly from: string; readonly to: string } | undefined;
}

type Days = { readonly from: string; readonly to: string };

/** Lists and counts. Each shape of filter finds its rows in an index, in the order in which they are shown. */
export function userPlanLists(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("userPlans").where("state", "=", 1n);
  const ofUser = (q: Kysely<Tables>, p: { userId: bigint } & Days) =>
    live(q).where("userId", "=", p.userId).where("dayTo", ">=", p.from).where("dayTo", "<=", p.to);
  const page = db.query((q, p: Page) => live(q).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset));
  const pageOfUser = db.query((q, p: { userId: bigint } & Days & Page) =>
    ofUser(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
  );
  const pageOfDays = db.query((q, p: Days & Page) =>
    live(q).selectAll().where("dayTo", ">=", p.from).where("dayTo", "<=", p.to).orderBy("dayTo").orderBy("id")
      .limit(p.size).offset(p.offset)
  );
  const countOfUser = db.query((q, p: { userId: bigint } & Days) =>
    ofUser(q, p).select(sql<bigint>`count(*)`.as("count"))
  );
  const countOfDays = db.query((q, p: Days) =>
    q.selectFrom("userPlanDays").select(sql<bigint>`coalesce(sum(n), 0)`.as("count")).where("dayTo", ">=", p.from)
      .where("dayTo", "<=", p.to)
  );
  const usable = db.query((q, p: { userId: bigint; day: string }) =>
    live(q).selectAll().where("userId", "=", p.userId).where("dayTo", ">=", p.day).where("isOn", "=", 1n)
      .orderBy("id", "desc").limit(1000)
  );

  return {
    /** Newest first; those of certain days the soonest to expire first. */
    list(call: Call, { userId, days }: Filter, page_: Page): Promise<UserPlanRow[]> {
      if (userId !== 0n) return pageOfUser.all(call, { userId, ...days ?? EVER, ...page_ });
      return days === undefined ? page.all(call, page_) : pageOfDays.all(call, { ...days, ...page_ });
    },
    count(call: Call, { userId, days = EVER }: Filter): Promise<{ count: bigint }> {
      return userId === 0n ? countOfDays.one(call, days) : countOfUser.one(call, { userId, ...days });
    },
    /** Plans of a user that are on and have not expired on that day. */
    usable: (call: Call, userId: bigint, day: string): Promise<UserPlanRow[]> => usable.all(call, { userId, day }),
  };
}

export type UserPlanLists = ReturnType<typeof userPlanLists>;

const EVER: Days = { from: "", to: "9999-99-99" };
