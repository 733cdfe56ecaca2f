import { anyOf, type Db, type DefaultFlag, type Flag, isLive, liveRows, rowCount } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import type { UserState } from "./contract.ts";
import { errors } from "./errors.ts";

export interface Tables {
  users: LiveTable<{
    username: string;
    /** A PHC string; empty for a user who has only access keys. */
    password: string;
    fullname: string;
    mobile: string;
    tel: Generated<string>;
    email: string;
    remark: Generated<string>;
    source: string;
    registeredIP: Generated<string>;
    isOn: DefaultFlag;
    isVerified: Flag;
    isRejected: DefaultFlag;
    rejectReason: Generated<string>;
    verifiedEmail: Generated<string>;
    verifiedMobile: Generated<string>;
    nodeClusterId: Generated<bigint>;
    bandwidthAlgo: Generated<string>;
    priceType: Generated<string>;
    pricePeriod: Generated<string>;
    /** A JSON array of codes. */
    featureCodes: Generated<string>;
    /** Derived from the other columns and from what the user owes; empty until the transaction of a new user ends. */
    userState: Generated<UserState>;
    createdAt: bigint;
    /** The time of the last login with the current password, in unix seconds. */
    loggedInAt: Generated<bigint>;
  }>;
  userRemovals: { userId: bigint };
  /** One row for each user who registered within the last 24 hours; older rows are deleted with the next one. */
  userRegistrations: { id: Generated<bigint>; addressGroup: string; createdAt: bigint };
}

export type UserRow = Selectable<Tables["users"]>;

/** The columns of a new user. */
export type NewUser =
  & Pick<UserRow, "username" | "password" | "fullname" | "mobile" | "tel" | "email" | "remark" | "source">
  & Pick<UserRow, "registeredIP" | "nodeClusterId" | "createdAt">
  & { isVerified: boolean };

const SEARCH = { contains: ["username", "fullname", "mobile", "email", "remark"], order: { id: "desc" } } as const;

/** The SQL statements that read users. */
export function userStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("users").selectAll().where("state", "=", 1n).orderBy("id", "desc");

  return {
    ...liveRows(db, "users", errors.not_found),
    byUsername: db.query((q, p: { username: string }) => live(q).where("username", "=", p.username)),
    idByEmail: db.query((q, p: { email: string }) => live(q).where("email", "=", p.email).limit(1)),
    byVerifiedEmail: db.query((q, p: { email: string }) =>
      live(q).where("verifiedEmail", "<>", sql.lit(""))
        .where(sql<SqlBool>`verifiedEmail collate nocase = ${p.email} collate nocase`).limit(2)
    ),
    verifiedEmails: db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("users").select(["id", "verifiedEmail"]).where("id", "in", anyOf(p.ids)).where("state", "=", 1n)
        .where("verifiedEmail", "<>", "")
    ),
    idByMobile: db.query((q, p: { mobile: string }) => live(q).where("mobile", "=", p.mobile).limit(1)),
    summaries: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("users").select(["id", "username", "fullname"]).where("id", "in", anyOf(p.ids)).where(
        "state",
        "=",
        1n,
      )
    ),
    priceTerms: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("users").select(["id", "priceType", "pricePeriod"]).where("id", "in", anyOf(p.ids))
        .where("state", "=", 1n)
    ),
    list: rowList(db, "users", SEARCH),
    listOfVerifying: rowList(db, "users", { ...SEARCH, where: sql<SqlBool>`isVerified = 0 and isRejected = 0` }),
    countCreatedSince: db.query((q, p: { since: bigint }) =>
      q.selectFrom("users").select(rowCount).where(isLive).where("createdAt", ">=", p.since)
    ),
    /** Counts new users of days, which are a JSON array of the day, its begin and its end in unix seconds. */
    createdPerDay: db.query((q, p: { days: string }) =>
      q.selectFrom(sql<{ value: string }>`json_each(${p.days})`.as("day"))
        .innerJoin("users", (on) =>
          on.on("users.state", "=", 1n)
            .on(sql<SqlBool>`users.createdAt >= day.value ->> 1 and users.createdAt < day.value ->> 2`))
        .select([sql<string>`day.value ->> 0`.as("day"), (count) => count.fn.countAll<bigint>().as("count")])
        .groupBy(sql`day.value ->> 0`).orderBy(sql`day.value ->> 0`)
    ),
    idsAfter: db.query((q, p: { after: bigint; limit: number }) =>
      q.selectFrom("users").select(["id", "featureCodes"]).where("state", "=", 1n).where("id", ">", p.after)
        .orderBy("id").limit(p.limit)
    ),
  };
}

export type UserStore = ReturnType<typeof userStore>;
