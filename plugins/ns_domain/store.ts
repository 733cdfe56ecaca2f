import { anyOf, type Db, isLive } from "edgehelm";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { Tables } from "./store_tables.ts";

const SUMMARY = ["id", "name", "isOn", "userId", "nsClusterId", "recordsHealthCheckJSON"] as const;
/** The maximum number of domains with one name that a search by name reads. */
const MAX_OF_NAME = 100;
const isVerified = sql<SqlBool>`status = 'verified'`;
/** The condition of an index, of which both parts keep a name from users. */
export const isForbidden = sql<SqlBool>`(status = 'forbidden' or isOffByAdmin = 1)`;
/** The condition of the list's indexes by owner: a literal, because SQLite would not use them with a parameter. */
const isOwned = sql<SqlBool>`userId <> 0`;

/** Returns the statements that find single domains. */
export function nsDomainStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nsDomains").where(isLive);
  const named = (q: Kysely<Tables>, p: { name: string }) => live(q).selectAll().where("name", "=", p.name);

  return {
    byId: db.query((q, p: { id: bigint }) => live(q).selectAll().where("id", "=", p.id)),
    byIds: db.query((q, p: { ids: bigint[] }) => live(q).selectAll().where("id", "in", anyOf(p.ids))),
    /** Finds out whether a name is neither used on a cluster nor kept from users: the common case of a new domain. */
    isUnused: db.query((q, p: { nsClusterId: bigint; name: string }) =>
      q.selectNoFrom((e) => {
        const used = live(q).select("id").where("nsClusterId", "=", p.nsClusterId).where("name", "=", p.name);
        const kept = q.selectFrom("nsDomains").select("id").where("name", "=", p.name).where(isForbidden);
        return e.not(e.or([e.exists(used), e.exists(kept)])).as("isUnused");
      })
    ),
    /** Finds all domains with these names on a cluster, of any owner. */
    namesakes: db.query((q, p: { nsClusterId: bigint; names: readonly string[] }) =>
      live(q).select(["id", "name", "userId", "status"])
        .where("nsClusterId", "=", p.nsClusterId).where("name", "in", anyOf(p.names))
    ),
    /** Finds an owner's domains with a name: the verified one first, then the oldest. */
    byOwnerAndName: db.query((q, p: { userId: bigint; name: string }) =>
      named(q, p).where("userId", "=", p.userId).orderBy(isVerified, "desc").orderBy("id")
    ),
    /** Finds a verified domain with a name: the common case. */
    verifiedByName: db.query((q, p: { name: string }) => named(q, p).where(isVerified)),
    /** Finds the domains with a name, of any owner: verified ones first, then the oldest. */
    byName: db.query((q, p: { name: string }) =>
      named(q, p).orderBy(isVerified, "desc").orderBy("id").limit(sql.lit(MAX_OF_NAME))
    ),
    /** Finds one of the names that users cannot use, because of a domain of any cluster; it may be deleted. */
    forbidden: db.query((q, p: { names: readonly string[] }) =>
      q.selectFrom("nsDomains").select("name").where("name", "in", anyOf(p.names)).where(isForbidden).limit(sql.lit(1))
    ),
    verifiedOnCluster: db.query((q, p: { nsClusterId: bigint; name: string }) =>
      named(q, p).where("nsClusterId", "=", p.nsClusterId).where(isVerified)
    ),
    ofOwner: db.query((q, p: { userId: bigint; names: readonly string[] }) =>
      live(q).select(SUMMARY).where("name", "in", anyOf(p.names)).where("userId", "=", p.userId).orderBy("id")
    ),
    secrets: db.query((q) => q.selectFrom("nsDomainSecrets").select("verification")),
    verifiedNames: db.query((q, p: { names: readonly string[] }) =>
      live(q).select("name").distinct().where("name", "in", anyOf(p.names)).where(isVerified)
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      live(q).select("id").where("userId", "=", p.userId).where(isOwned).limit(p.limit)
    ),
    nextToFollow: db.query((q) => q.selectFrom("nsDomainFollowings").selectAll().limit(sql.lit(1))),
    stateOf: db.query((q, p: { nsDomainId: bigint }) =>
      q.selectFrom("nsDomains").select(["id", "nsClusterId", "state"]).where("id", "=", p.nsDomainId)
    ),
  };
}

export type NSDomainStore = ReturnType<typeof nsDomainStore>;
