import { anyOf, type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
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

/** Selects admins for a list or a count. */
export interface Filter {
  /** A LIKE pattern from `containing`. */
  readonly pattern: string;
  /** 1 selects admins with a weak password; 0 selects all. */
  readonly weak: bigint;
}

/** Defines all SQL statements of this plugin. */
export function adminStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("admins").selectAll().where("state", "=", 1n).orderBy("id", "desc");

  // A substring search cannot use an index; an installation has few admins, so reading all of them is fast.
  const matches = (p: Filter) =>
    sql<
      boolean
    >`(username like ${p.pattern} escape '\\' or fullname like ${p.pattern} escape '\\') and hasWeakPassword >= ${p.weak}`;

  return {
    ...liveRows(db, "admins", errors.not_found),
    insert: db.insertUnique("admins", [
      "username",
      "password",
      "fullname",
      "isSuper",
      "canLogin",
      "hasWeakPassword",
      "modulesJSON",
      "createdAt",
    ]),
    byUsername: db.query((q, p: { username: string }) => live(q).where("username", "=", p.username)),
    allOn: db.query((q) => live(q).where("isOn", "=", 1n)),
    namesByIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("admins").select(["id", "username", "fullname"]).where("id", "in", anyOf(p.ids))
    ),
    page: db.query((q, p: Filter & Page) => live(q).where(matches(p)).limit(p.size).offset(p.offset)),
    count: db.query((q, p: Filter) =>
      q.selectFrom("admins").select(rowCount).where("state", "=", 1n)
        .where(matches(p))
    ),
    otherSupers: db.query((q, p: { id: bigint }) =>
      q.selectFrom("admins").select("id").where("state", "=", 1n).where("isOn", "=", 1n).where("isSuper", "=", 1n)
        .where("id", "!=", p.id).limit(1)
    ),
    setFullname: db.update("admins", ["fullname"]),
    setPassword: db.update("admins", ["password", "hasWeakPassword"]),
    setUsername: db.update("admins", ["username"]),
    update: db.update("admins", ["fullname", "modulesJSON", "isSuper", "isOn", "canLogin"]),
    setIsOn: db.update("admins", ["isOn"]),
    setTheme: db.update("admins", ["theme"]),
    setLang: db.update("admins", ["lang"]),
  };
}

export type AdminStore = ReturnType<typeof adminStore>;
