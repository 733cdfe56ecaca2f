import { anyOf, type Db, type DefaultFlag, type Flag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Generated, Kysely, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  admins: LiveTable<{
    username: string;
    /** A PHC string; empty for an admin without a password. */
    password: string;
    fullname: string;
    isOn: DefaultFlag;
    isSuper: Flag;
    canLogin: Flag;
    hasWeakPassword: DefaultFlag;
    /** A JSON array of pb.AdminModule. */
    modulesJSON: Uint8Array;
    theme: Generated<string>;
    lang: Generated<string>;
    createdAt: bigint;
  }>;
}

export type AdminRow = Selectable<Tables["admins"]>;

/** The values of a new admin. */
export type NewAdmin =
  & Pick<AdminRow, "username" | "password" | "fullname" | "modulesJSON" | "createdAt">
  & { isSuper: boolean; canLogin: boolean; hasWeakPassword: boolean };

const PASSWORD = ["password", "hasWeakPassword"] as const;
const RIGHTS = ["isSuper", "canLogin"] as const;

/** Defines all SQL statements of this plugin. */
export function adminStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("admins").selectAll().where("state", "=", 1n).orderBy("id", "desc");

  return {
    ...liveRows(db, "admins", errors.not_found),
    insert: db.insertUnique("admins", [...PASSWORD, ...RIGHTS, "username", "fullname", "modulesJSON", "createdAt"]),
    byUsername: db.query((q, p: { username: string }) => live(q).where("username", "=", p.username)),
    allOn: db.query((q) => live(q).where("isOn", "=", 1n)),
    namesByIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("admins").select(["id", "username", "fullname"]).where("id", "in", anyOf(p.ids))
    ),
    list: rowList(db, "admins", {
      equalIfSet: ["hasWeakPassword"],
      contains: ["username", "fullname"],
      order: { id: "desc" },
    }),
    otherSupers: db.query((q, p: { id: bigint }) =>
      q.selectFrom("admins").select("id").where("state", "=", 1n).where("isOn", "=", 1n).where("isSuper", "=", 1n)
        .where("canLogin", "=", 1n).where("id", "!=", p.id).limit(1)
    ),
    setFullname: db.update("admins", ["fullname"]),
    setPassword: db.update("admins", PASSWORD),
    setUsername: db.update("admins", ["username"]),
    update: db.update("admins", [...RIGHTS, "fullname", "modulesJSON", "isOn"]),
    setMayLogIn: db.update("admins", ["isOn", "canLogin"]),
    setTheme: db.update("admins", ["theme"]),
    setLang: db.update("admins", ["lang"]),
  };
}

export type AdminStore = ReturnType<typeof adminStore>;
