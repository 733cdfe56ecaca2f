import { type Db, type DefaultFlag, ownedRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  userAccessKeys: LiveTable<{
    /** The admin who owns the key; 0 if a user owns it. */
    adminId: bigint;
    /** The user who owns the key; 0 if an admin owns it. */
    userId: bigint;
    isOn: DefaultFlag;
    uniqueId: string;
    /** Encrypted or hashed, never in plain text. */
    secret: string;
    description: string;
    accessedAt: Generated<bigint>;
    createdAt: Generated<bigint>;
    expiresAt: Generated<bigint>;
    /** A JSON array of ranges of addresses. */
    addresses: Generated<string>;
    /** A JSON array of services and operations. */
    operations: Generated<string>;
    isReadOnly: DefaultFlag;
  }>;
}

export type UserAccessKeyRow = Selectable<Tables["userAccessKeys"]>;

/** The owner of a key: an admin or a user; the other id is 0. */
export interface Owner {
  readonly adminId: bigint;
  readonly userId: bigint;
}

/** Begins the stored form of a secret that is hashed. */
export const HASHED = "sha256.";
const RESTRICTION = ["expiresAt", "addresses", "operations", "isReadOnly"] as const;

/** The SQL statements of this plugin. */
export function userAccessKeyStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "userAccessKeys", errors.not_found),
    insert: db.insert("userAccessKeys", [
      "adminId",
      "userId",
      "uniqueId",
      "secret",
      "description",
      "createdAt",
      ...RESTRICTION,
    ]),
    setRestriction: db.update("userAccessKeys", RESTRICTION),
    setSecret: db.update("userAccessKeys", ["secret"]),
    someEncrypted: db.query((q, p: { limit: number }) =>
      q.selectFrom("userAccessKeys").select(["id", "uniqueId", "secret"]).where("secret", "not like", `${HASHED}%`)
        .limit(p.limit)
    ),
    byUniqueId: db.query((q, p: { uniqueId: string }) =>
      q.selectFrom("userAccessKeys").selectAll().where("uniqueId", "=", p.uniqueId).where("state", "=", 1n)
    ),
    list: rowList(db, "userAccessKeys", { equal: ["adminId", "userId"], order: { id: "desc" } }),
    setIsOn: db.update("userAccessKeys", ["isOn"]),
    turnOffOfAdmin: db.query((q, p: { adminId: bigint }) =>
      q.updateTable("userAccessKeys").set({ isOn: false }).where("adminId", "=", p.adminId).where("state", "=", 1n)
    ),
    setAccessedAt: db.update("userAccessKeys", ["accessedAt"]),
    removeOfAdmin: db.query((q, p: { adminId: bigint }) =>
      q.updateTable("userAccessKeys").set({ state: 0n }).where("adminId", "=", p.adminId).where("state", "=", 1n)
    ),
    removeSomeOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.updateTable("userAccessKeys").set({ state: 0n })
        .where(
          "id",
          "in",
          (query) =>
            query.selectFrom("userAccessKeys").select("id").where("adminId", "=", 0n).where("userId", "=", p.userId)
              .where("state", "=", 1n).limit(p.limit),
        )
    ),
  };
}

export type UserAccessKeyStore = ReturnType<typeof userAccessKeyStore>;
