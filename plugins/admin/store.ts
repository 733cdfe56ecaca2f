import { anyOf, type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  admins: {
    id: Generated<bigint>;
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
    state: Generated<bigint>;
  };
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
    insert: db.query((q, p: NewAdmin) =>
      q.insertInto("admins").values({
        username: p.username,
        password: p.password,
        fullname: p.fullname,
        isSuper: p.isSuper,
        canLogin: p.canLogin,
        hasWeakPassword: p.hasWeakPassword,
        modulesJSON: p.modulesJSON,
        createdAt: p.createdAt,
      }).onConflict((conflict) => conflict.doNothing()).returning("id")
    ),
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
    setFullname: db.query((q, p: { id: bigint; fullname: string }) =>
      q.updateTable("admins").set({ fullname: p.fullname }).where("id", "=", p.id)
    ),
    setPassword: db.query((q, p: { id: bigint; password: string; hasWeakPassword: boolean }) =>
      q.updateTable("admins").set({ password: p.password, hasWeakPassword: p.hasWeakPassword }).where("id", "=", p.id)
    ),
    setUsername: db.query((q, p: { id: bigint; username: string }) =>
      q.updateTable("admins").set({ username: p.username }).where("id", "=", p.id)
    ),
    update: db.query((q, p: {
      id: bigint;
      fullname: string;
      modulesJSON: Uint8Array;
      isSuper: boolean;
      isOn: boolean;
      canLogin: boolean;
    }) =>
      q.updateTable("admins").set({
        fullname: p.fullname,
        modulesJSON: p.modulesJSON,
        isSuper: p.isSuper,
        isOn: p.isOn,
        canLogin: p.canLogin,
      }).where("id", "=", p.id)
    ),
    setIsOn: db.query((q, p: { id: bigint; isOn: boolean }) =>
      q.updateTable("admins").set({ isOn: p.isOn }).where("id", "=", p.id)
    ),
    setTheme: db.query((q, p: { id: bigint; theme: string }) =>
      q.updateTable("admins").set({ theme: p.theme }).where("id", "=", p.id)
    ),
    setLang: db.query((q, p: { id: bigint; lang: string }) =>
      q.updateTable("admins").set({ lang: p.lang }).where("id", "=", p.id)
    ),
  };
}

export type AdminStore = ReturnType<typeof adminStore>;
