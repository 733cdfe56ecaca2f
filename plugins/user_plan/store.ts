import { anyOf, type Db, type DefaultFlag, ownedRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  userPlans: LiveTable<{
    userId: bigint;
    planId: bigint;
    name: string;
    /** The last day, such as 2026-01-31. */
    dayTo: string;
    /** The day of the month on which renewals end, in months that have this day. */
    anchorDay: bigint;
    isOn: DefaultFlag;
    /** 1 after the sites were marked for update because the plan ended. */
    isExpiryTold: DefaultFlag;
    /** 1 after listeners were called because the plan ends soon. */
    isEndAnnounced: DefaultFlag;
    createdAt: bigint;
  }>;
  /** The number of plans that end on each day, maintained by triggers. */
  userPlanDays: { dayTo: string; n: bigint };
  /** Plans whose change a job passes on to the sites of their users, and the last plan of a user that it passed. */
  userPlanChanges: { planId: bigint; after: bigint };
}

export type UserPlanRow = Selectable<Tables["userPlans"]>;

const ENDING = ["id", "userId", "planId", "name", "dayTo"] as const;
/** A changed last day is announced again. */
const REVIVED = { isExpiryTold: false, isEndAnnounced: false };

/** The SQL statements that change user plans and find them by id. */
export function userPlanStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "userPlans", errors.not_found),
    insert: db.insert("userPlans", ["userId", "planId", "name", "dayTo", "anchorDay", "createdAt"]),
    extend: db.update("userPlans", ["dayTo", "anchorDay"], REVIVED),
    update: db.update("userPlans", ["planId", "name", "dayTo", "anchorDay", "isOn"], REVIVED),
    terms: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("userPlans").select(["id", "planId", "dayTo"]).where("id", "in", anyOf(p.ids))
    ),
    ofPlan: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("userPlans").select(["id", "userId", "name"]).where("planId", "=", p.id).where("state", "=", 1n)
        .limit(p.limit)
    ),
    ofPlanAfter: db.query((q, p: { planId: bigint; after: bigint; limit: number }) =>
      q.selectFrom("userPlans").select("id").where("planId", "=", p.planId).where("state", "=", 1n)
        .where("id", ">", p.after).orderBy("id").limit(p.limit)
    ),
    nextChange: db.query((q) => q.selectFrom("userPlanChanges").selectAll().orderBy("planId").limit(1)),
    setChange: db.query((q, p: { planId: bigint; after: bigint }) =>
      q.replaceInto("userPlanChanges").values({ planId: p.planId, after: p.after })
    ),
    endChange: db.query((q, p: { planId: bigint }) => q.deleteFrom("userPlanChanges").where("planId", "=", p.planId)),
    unnotifiedBefore: db.query((q, p: { day: string; limit: number }) =>
      q.selectFrom("userPlans").select(ENDING).where("dayTo", "<", p.day).where("state", "=", 1n)
        .where("isExpiryTold", "=", 0n).orderBy("dayTo").limit(p.limit)
    ),
    /** Selects plans whose last day is in a range of days and was not announced. */
    unannounced: db.query((q, p: { from: string; to: string; limit: number }) =>
      q.selectFrom("userPlans").select(ENDING).where("dayTo", ">=", p.from).where("dayTo", "<=", p.to)
        .where("state", "=", 1n).where("isEndAnnounced", "=", 0n).orderBy("dayTo").limit(p.limit)
    ),
    markAnnounced: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("userPlans").set({ isEndAnnounced: true }).where("id", "in", anyOf(p.ids))
    ),
    markNotified: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("userPlans").set({ isExpiryTold: true }).where("id", "in", anyOf(p.ids))
    ),
  };
}

export type UserPlanStore = ReturnType<typeof userPlanStore>;
