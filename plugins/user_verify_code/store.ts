import { type Db, rowCount } from "edgehelm";
import { type Generated, type Selectable, sql } from "kysely";

export interface Tables {
  userVerifyCodes: {
    id: Generated<bigint>;
    /** As it was typed. */
    email: string;
    /** The user whose verified address it is; 0 before the job looked, and if there is none. */
    userId: Generated<bigint>;
    /** The permanent name for which the code is sealed. */
    place: string;
    /** The sealed code; empty before it is sent, once it was used, and if there is no such user. */
    code: Generated<string>;
    attempts: Generated<bigint>;
    /** 1 once the job handled the request. */
    isSent: Generated<bigint>;
    addressGroup: string;
    createdAt: bigint;
    expiresAt: Generated<bigint>;
  };
}

export type CodeRow = Selectable<Tables["userVerifyCodes"]>;

/** Defines all SQL statements of this plugin. */
export function codeStore(db: Db<Tables>) {
  return {
    insert: db.insert("userVerifyCodes", ["email", "place", "addressGroup", "createdAt"]),
    latest: db.query((q, p: { email: string }) =>
      q.selectFrom("userVerifyCodes").selectAll().where("email", "=", p.email)
        .orderBy("createdAt", "desc").orderBy("id", "desc").limit(sql.lit(1))
    ),
    countOfEmail: db.query((q, p: { email: string; since: bigint }) =>
      q.selectFrom("userVerifyCodes").select(rowCount).where("email", "=", p.email).where("createdAt", ">", p.since)
    ),
    countOfEmailAndAddress: db.query((q, p: { email: string; addressGroup: string; since: bigint }) =>
      q.selectFrom("userVerifyCodes").select(rowCount).where("email", "=", p.email)
        .where("createdAt", ">", p.since).where("addressGroup", "=", p.addressGroup)
    ),
    countOfAddress: db.query((q, p: { addressGroup: string; since: bigint }) =>
      q.selectFrom("userVerifyCodes").select(rowCount).where("addressGroup", "=", p.addressGroup)
        .where("createdAt", ">", p.since)
    ),
    /** Counts at most `limit` rows. */
    countOfAll: db.query((q, p: { since: bigint; limit: number }) =>
      q.selectFrom(
        q.selectFrom("userVerifyCodes").select("id").where("createdAt", ">", p.since).limit(p.limit).as("recent"),
      ).select((e) => e.fn.countAll<bigint>().as("count"))
    ),
    unsent: db.query((q, p: { limit: number }) =>
      q.selectFrom("userVerifyCodes").selectAll().where("isSent", "=", sql.lit(0n)).orderBy("id").limit(p.limit)
    ),
    /** Takes a request for sending; changes no row if another instance took it. */
    take: db.query((q, p: { id: bigint; userId: bigint; code: string; expiresAt: bigint }) =>
      q.updateTable("userVerifyCodes").set({ userId: p.userId, code: p.code, expiresAt: p.expiresAt, isSent: 1n })
        .where("id", "=", p.id).where("isSent", "=", sql.lit(0n))
    ),
    /** Counts an attempt before it is made; changes no row if there were too many. */
    countAttempt: db.query((q, p: { id: bigint; max: bigint }) =>
      q.updateTable("userVerifyCodes").set((e) => ({ attempts: e("attempts", "+", sql.lit(1n)) }))
        .where("id", "=", p.id).where("attempts", "<", p.max)
    ),
    /** Uses a code; changes no row if it was used or ended meanwhile. */
    use: db.query((q, p: { id: bigint; code: string }) =>
      q.updateTable("userVerifyCodes").set({ code: "" }).where("id", "=", p.id).where("code", "=", p.code)
        .where("code", "<>", sql.lit(""))
    ),
    endCodes: db.query((q, p: { userId: bigint }) =>
      q.updateTable("userVerifyCodes").set({ code: "" }).where("userId", "=", p.userId)
        .where("userId", "<>", sql.lit(0n))
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("userVerifyCodes").select("id").where("userId", "=", p.userId).where("userId", "<>", sql.lit(0n))
        .limit(p.limit)
    ),
    old: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("userVerifyCodes").select("id").where("createdAt", "<=", p.before).orderBy("createdAt")
        .limit(p.limit)
    ),
    remove: db.query((q, p: { id: bigint }) => q.deleteFrom("userVerifyCodes").where("id", "=", p.id)),
  };
}

export type CodeStore = ReturnType<typeof codeStore>;
