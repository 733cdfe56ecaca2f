import { anyOf, type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
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
    /** 1 if the sites of the user are served. */
    hasServers: DefaultFlag;
    createdAt: bigint;
  }>;
  userRemovals: { userId: bigint };
}

export type UserRow = Selectable<Tables["users"]>;

/** The columns of a new user. */
export type NewUser =
  & Pick<UserRow, "username" | "password" | "fullname" | "mobile" | "tel" | "email" | "remark" | "source">
  & Pick<UserRow, "registeredIP" | "nodeClusterId" | "createdAt">
  & { isVerified: boolean };

/** The filter of keyword searches. */
export interface Filter {
  /** Created by `containing`. */
  readonly pattern: string;
  /** 1 matches only users who await verification. */
  readonly verifying: bigint;
}

/** The SQL statements that read users. */
export function userStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("users").selectAll().where("state", "=", 1n).orderBy("id", "desc");
  const unverified = sql<boolean>`isVerified = 0 and isRejected = 0`;
  const matches = (p: Filter) =>
    sql<boolean>`(username like ${p.pattern} escape '\\' or fullname like ${p.pattern} escape '\\'
      or mobile like ${p.pattern} escape '\\' or email like ${p.pattern} escape '\\'
      or remark like ${p.pattern} escape '\\') and (isVerified = 0 and isRejected = 0) >= ${p.verifying}`;
  const countLive = (q: Kysely<Tables>) => q.selectFrom("users").select(rowCount).where("state", "=", 1n);

  return {
    ...liveRows(db, "users", errors.not_found),
    byUsername: db.query((q, p: { username: string }) => live(q).where("username", "=", p.username)),
    idByEmail: db.query((q, p: { email: string }) => live(q).where("email", "=", p.email).limit(1)),
    idByMobile: db.query((q, p: { mobile: string }) => live(q).where("mobile", "=", p.mobile).limit(1)),
    served: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("users").select("id").where("id", "in", anyOf(p.ids)).where("state", "=", 1n).where("isOn", "=", 1n)
        .where("hasServers", "=", 1n)
    ),
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
    page: db.query((q, p: Page) => live(q).limit(p.size).offset(p.offset)),
    count: db.query((q) => countLive(q)),
    pageOfUnverified: db.query((q, p: Page) => live(q).where(unverified).limit(p.size).offset(p.offset)),
    countUnverified: db.query((q) => countLive(q).where(unverified)),
    // no index supports a substring search in five columns: these run outside the event loop
    pageMatching: db.query((q, p: Filter & Page) => live(q).where(matches(p)).limit(p.size).offset(p.offset)),
    countMatching: db.query((q, p: Filter) => countLive(q).where(matches(p))),
    countCreatedSince: db.query((q, p: { since: bigint }) => countLive(q).where("createdAt", ">=", p.since)),
    createdPerDay: db.query((q, p: { since: bigint }) =>
      q.selectFrom("users").select([
        sql<string>`strftime('%Y%m%d', createdAt, 'unixepoch')`.as("day"),
        (count) => count.fn.countAll<bigint>().as("count"),
      ]).where("state", "=", 1n).where("createdAt", ">=", p.since).groupBy("day").orderBy("day")
    ),
    idsAfter: db.query((q, p: { after: bigint; limit: number }) =>
      q.selectFrom("users").select(["id", "featureCodes"]).where("state", "=", 1n).where("id", ">", p.after)
        .orderBy("id").limit(p.limit)
    ),
  };
}

export type UserStore = ReturnType<typeof userStore>;
