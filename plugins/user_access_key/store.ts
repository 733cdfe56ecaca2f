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
  }>;
}

export type UserAccessKeyRow = Selectable<Tables["userAccessKeys"]>;

/** The owner of a key: an admin or a user; the other id is 0. */
export interface Owner {
  readonly adminId: bigint;
  readonly userId: bigint;
}

/** The SQL statements of this plugin. */
export function userAccessKeyStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "userAccessKeys", errors.not_found),
    insert: db.insert("userAccessKeys", ["adminId", "userId", "uniqueId", "secret", "description"]),
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
      q.updateTable("userAccessKeys").set({ state: 0n }).where("adminId", "=", p.adminId)
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
