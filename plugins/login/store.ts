import { anyOf, type Db, type Flag } from "edgehelm";
import type { Generated, Selectable } from "kysely";
import type { FactorOwner } from "./contract.ts";

export interface Tables {
  logins: {
    id: Generated<bigint>;
    /** The admin who owns it; 0 if a user does. */
    adminId: bigint;
    /** The user who owns it; 0 if an admin does. */
    userId: bigint;
    /** The permanent name for which the secret is sealed. */
    uniqueId: string;
    /** Encrypted base32. */
    secret: string;
    isOn: Flag;
    /** The step of the last code that was accepted. */
    lastStep: Generated<bigint>;
  };
  loginRecoveryCodes: { id: Generated<bigint>; loginId: bigint; hash: string };
  /** The addresses from which people signed in. */
  loginAddresses: { id: Generated<bigint>; adminId: bigint; userId: bigint; address: string; seenAt: bigint };
}

export type LoginRow = Selectable<Tables["logins"]>;

/** The owner of a second factor as columns; one of them is 0. */
export interface OwnerColumns {
  readonly adminId: bigint;
  readonly userId: bigint;
}

/** Returns the owner of a row as columns. */
export function columnsOf({ role, subjectId }: FactorOwner): OwnerColumns {
  return role === "admin" ? { adminId: subjectId, userId: 0n } : { adminId: 0n, userId: subjectId };
}

/** The SQL statements on second factors. */
export function loginStore(db: Db<Tables>) {
  return {
    ofOwner: db.query((q, p: OwnerColumns) =>
      q.selectFrom("logins").selectAll().where("adminId", "=", p.adminId).where("userId", "=", p.userId)
    ),
    insert: db.insert("logins", ["adminId", "userId", "uniqueId", "secret", "isOn"]),
    setSecret: db.query((q, p: { id: bigint; secret: string }) =>
      q.updateTable("logins").set({ secret: p.secret, lastStep: 0n }).where("id", "=", p.id)
    ),
    setOn: db.update("logins", ["isOn"]),
    /** Takes a step once: it changes no row if that step or a later one was taken. */
    takeStep: db.query((q, p: { id: bigint; step: bigint }) =>
      q.updateTable("logins").set({ lastStep: p.step }).where("id", "=", p.id).where("lastStep", "<", p.step)
    ),
    remove: db.query((q, p: OwnerColumns) =>
      q.deleteFrom("logins").where("adminId", "=", p.adminId).where("userId", "=", p.userId)
    ),
    addCode: db.insert("loginRecoveryCodes", ["loginId", "hash"]),
    takeCode: db.query((q, p: { loginId: bigint; hash: string }) =>
      q.deleteFrom("loginRecoveryCodes").where("loginId", "=", p.loginId).where("hash", "=", p.hash)
    ),
    removeCodes: db.query((q, p: { loginId: bigint }) =>
      q.deleteFrom("loginRecoveryCodes").where("loginId", "=", p.loginId)
    ),
  };
}

export type LoginStore = ReturnType<typeof loginStore>;

/** The SQL statements on addresses. */
export function addressStore(db: Db<Tables>) {
  return {
    /** Selects the addresses of a person, the one of the last sign-in first. */
    ofOwner: db.query((q, p: OwnerColumns & { limit: number }) =>
      q.selectFrom("loginAddresses").select(["id", "address", "seenAt"]).where("adminId", "=", p.adminId)
        .where("userId", "=", p.userId).orderBy("seenAt", "desc").orderBy("id", "desc").limit(p.limit)
    ),
    insert: db.insert("loginAddresses", ["adminId", "userId", "address", "seenAt"]),
    setSeen: db.update("loginAddresses", ["seenAt"]),
    remove: db.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom("loginAddresses").where("id", "in", anyOf(p.ids))
    ),
  };
}

export type AddressStore = ReturnType<typeof addressStore>;
