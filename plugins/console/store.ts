import { type Db, rowCount } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";

/** The kinds of people who use the console. */
export type ConsoleRole = "admin" | "user";

export interface Tables {
  consoleSessions: {
    id: Generated<bigint>;
    /** The part of the cookie that finds the session. */
    uniqueId: string;
    /** The digest of the part of the cookie that proves it. */
    secretHash: string;
    role: ConsoleRole;
    subjectId: bigint;
    /** The plugin that stores the access key with which the person signed in; empty after a password. */
    keySource: string;
    keyId: bigint;
    address: string;
    userAgent: string;
    createdAt: bigint;
    lastUsedAt: bigint;
    expiresAt: bigint;
  };
}

export type SessionRow = Selectable<Tables["consoleSessions"]>;

/** The person whom a session belongs to. */
export interface Subject {
  readonly role: ConsoleRole;
  readonly subjectId: bigint;
}

/** Selects sessions that have not ended, of one person or, with an empty role, of all. */
export interface SessionFilter {
  readonly role: ConsoleRole | "";
  readonly subjectId: bigint;
  /** In unix seconds. */
  readonly now: bigint;
  /** The time since which they must have been used, in unix seconds. */
  readonly usedSince: bigint;
}

const COLUMNS = [
  "uniqueId",
  "secretHash",
  "role",
  "subjectId",
  "keySource",
  "keyId",
  "address",
  "userAgent",
  "createdAt",
  "lastUsedAt",
  "expiresAt",
] as const;

/** The SQL statements of this plugin. */
export function sessionStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>, p: SessionFilter) =>
    q.selectFrom("consoleSessions").where("expiresAt", ">", p.now).where("lastUsedAt", ">=", p.usedSince)
      .where(sql<SqlBool>`(${p.role} = '' or (role = ${p.role} and subjectId = ${p.subjectId}))`);

  return {
    insert: db.insert("consoleSessions", COLUMNS),
    count: db.query((q, p: SessionFilter) => live(q, p).select(rowCount)),
    page: db.query((q, p: SessionFilter & { offset: bigint; size: bigint }) =>
      live(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    byUniqueId: db.query((q, p: { uniqueId: string }) =>
      q.selectFrom("consoleSessions").selectAll().where("uniqueId", "=", p.uniqueId)
    ),
    byId: db.query((q, p: { id: bigint }) => q.selectFrom("consoleSessions").selectAll().where("id", "=", p.id)),
    /** Finds the sessions of a person, newest first. */
    ofSubject: db.query((q, p: Subject) =>
      q.selectFrom("consoleSessions").selectAll().where("role", "=", p.role).where("subjectId", "=", p.subjectId)
        .orderBy("id", "desc")
    ),
    touch: db.query((q, p: { id: bigint; lastUsedAt: bigint }) =>
      q.updateTable("consoleSessions").set({ lastUsedAt: p.lastUsedAt }).where("id", "=", p.id)
    ),
    remove: db.query((q, p: Subject & { id: bigint }) =>
      q.deleteFrom("consoleSessions").where("id", "=", p.id).where("role", "=", p.role)
        .where("subjectId", "=", p.subjectId)
    ),
    /** Deletes the sessions of a person but one; 0 spares none. */
    removeOthers: db.query((q, p: Subject & { keptId: bigint }) =>
      q.deleteFrom("consoleSessions").where("role", "=", p.role).where("subjectId", "=", p.subjectId)
        .where("id", "!=", p.keptId)
    ),
    /** Deletes the sessions of a person but the newest ones. */
    removeOldest: db.query((q, p: Subject & { kept: bigint }) =>
      q.deleteFrom("consoleSessions").where(
        "id",
        "in",
        (old) =>
          old.selectFrom("consoleSessions").select("id").where("role", "=", p.role).where("subjectId", "=", p.subjectId)
            .orderBy("id", "desc").limit(1000).offset(p.kept),
      )
    ),
    removeOfKey: db.query((q, p: { keySource: string; keyId: bigint }) =>
      q.deleteFrom("consoleSessions").where("keySource", "=", p.keySource).where("keyId", "=", p.keyId)
    ),
    removeExpired: db.query((q, p: { now: bigint; limit: number }) =>
      q.deleteFrom("consoleSessions").where(
        "id",
        "in",
        (over) => over.selectFrom("consoleSessions").select("id").where("expiresAt", "<=", p.now).limit(p.limit),
      )
    ),
    removeIdle: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("consoleSessions").where(
        "id",
        "in",
        (idle) => idle.selectFrom("consoleSessions").select("id").where("lastUsedAt", "<", p.before).limit(p.limit),
      )
    ),
  };
}

export type SessionStore = ReturnType<typeof sessionStore>;
