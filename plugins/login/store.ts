import type { Db, Flag } from "edgehelm";
import type { Generated, Selectable } from "kysely";

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
}

export type LoginRow = Selectable<Tables["logins"]>;

/** The owner of a second factor as columns; one of them is 0. */
export interface OwnerColumns {
  readonly adminId: bigint;
  readonly userId: bigint;
}

/** The SQL statements of this plugin. */
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
