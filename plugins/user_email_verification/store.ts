import { type Db, rowCount } from "edgehelm";
import { type Generated, type Selectable, sql } from "kysely";

export interface Tables {
  userEmailVerifications: {
    id: Generated<bigint>;
    userId: bigint;
    email: string;
    /** The hash of the code; empty once the code was used or replaced. */
    codeHash: string;
    /** The message with the code. */
    messageTaskId: bigint;
    isSent: Generated<bigint>;
    verifiedAt: Generated<bigint>;
    createdAt: bigint;
    expiresAt: bigint;
  };
}

export type VerificationRow = Selectable<Tables["userEmailVerifications"]>;

/** Defines all SQL statements of this plugin. */
export function verificationStore(db: Db<Tables>) {
  return {
    insert: db.insert("userEmailVerifications", [
      "userId",
      "email",
      "codeHash",
      "messageTaskId",
      "createdAt",
      "expiresAt",
    ]),
    byHash: db.query((q, p: { codeHash: string }) =>
      q.selectFrom("userEmailVerifications").selectAll().where("codeHash", "=", p.codeHash)
        .where("codeHash", "<>", sql.lit(""))
    ),
    latest: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("userEmailVerifications").selectAll().where("userId", "=", p.userId)
        .orderBy("createdAt", "desc").orderBy("id", "desc").limit(sql.lit(1))
    ),
    lastVerified: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("userEmailVerifications").select("email").where("userId", "=", p.userId)
        .where("verifiedAt", ">", sql.lit(0n)).orderBy("createdAt", "desc").orderBy("id", "desc").limit(sql.lit(1))
    ),
    countOfUser: db.query((q, p: { userId: bigint; since: bigint }) =>
      q.selectFrom("userEmailVerifications").select(rowCount).where("userId", "=", p.userId)
        .where("createdAt", ">", p.since)
    ),
    countOfEmail: db.query((q, p: { email: string; since: bigint }) =>
      q.selectFrom("userEmailVerifications").select(rowCount).where("email", "=", p.email)
        .where("createdAt", ">", p.since)
    ),
    endCodes: db.query((q, p: { userId: bigint }) =>
      q.updateTable("userEmailVerifications").set({ codeHash: "" }).where("userId", "=", p.userId)
    ),
    setVerified: db.update("userEmailVerifications", ["codeHash", "verifiedAt"]),
    setSent: db.query((q, p: { messageTaskId: bigint }) =>
      q.updateTable("userEmailVerifications").set({ isSent: 1n }).where("messageTaskId", "=", p.messageTaskId)
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("userEmailVerifications").select("id").where("userId", "=", p.userId).limit(p.limit)
    ),
    expired: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("userEmailVerifications").select("id").where("createdAt", "<", p.before).orderBy("createdAt")
        .limit(p.limit)
    ),
    remove: db.query((q, p: { id: bigint }) => q.deleteFrom("userEmailVerifications").where("id", "=", p.id)),
  };
}

export type VerificationStore = ReturnType<typeof verificationStore>;
