import { anyOf, type Db, type Page, type TimeSpan } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";

export interface Tables {
  logs: {
    id: Generated<bigint>;
    level: string;
    action: string;
    description: string;
    ip: string;
    /** 0 when a user did it. */
    adminId: bigint;
    /** 0 when an admin did it. */
    userId: bigint;
    createdAt: bigint;
  };
  /** One row, kept by triggers. */
  logTotals: { id: bigint; count: bigint; bytes: bigint };
}

export type LogRow = Selectable<Tables["logs"]>;
export type NewLog = Omit<LogRow, "id">;

/** Which logs a list is about; empty stands for all. */
export interface Filter extends TimeSpan {
  readonly level: string;
  /** `admin` or `user`. */
  readonly userType: string;
  /** Made by `containing`. */
  readonly pattern: string;
}

/** All SQL of this plugin. */
export function logStore(db: Db<Tables>) {
  const newestFirst = (q: Kysely<Tables>) =>
    q.selectFrom("logs")
      .select(["id", "level", "action", "description", "ip", "adminId", "userId", "createdAt"])
      .orderBy("id", "desc");
  // The plus before createdAt keeps its index out: what is wanted are the newest by id, and few logs at a time.
  const matches = (p: Filter) =>
    sql<boolean>`+createdAt >= ${p.from} and +createdAt < ${p.to} and (${p.level} = '' or level = ${p.level})
      and (${p.userType} = '' or iif(${p.userType} = 'user', userId, adminId) > 0)
      and (${p.pattern} = '' or description like ${p.pattern} escape '\\' or ip like ${p.pattern} escape '\\'
        or action like ${p.pattern} escape '\\')`;

  return {
    insert: db.query((q, p: NewLog) =>
      q.insertInto("logs").values({
        level: p.level,
        action: p.action,
        description: p.description,
        ip: p.ip,
        adminId: p.adminId,
        userId: p.userId,
        createdAt: p.createdAt,
      })
    ),
    totals: db.query((q) => q.selectFrom("logTotals").select(["count", "bytes"])),
    newestId: db.query((q) => q.selectFrom("logs").select("id").orderBy("id", "desc").limit(1)),
    page: db.query((q, p: Page) => newestFirst(q).limit(p.size).offset(p.offset)),
    // No one index serves these filters: they run apart from the event loop.
    pageMatching: db.query((q, p: Filter & Page) => newestFirst(q).where(matches(p)).limit(p.size).offset(p.offset)),
    countMatching: db.query((q, p: Filter) =>
      q.selectFrom("logs").select((count) => count.fn.countAll<bigint>().as("count")).where(matches(p))
    ),
    remove: db.query((q, p: { ids: bigint[] }) => q.deleteFrom("logs").where("id", "in", anyOf(p.ids))),
    removeSomeBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("logs").where(
        "id",
        "in",
        (some) => some.selectFrom("logs").select("id").where("createdAt", "<", p.before).limit(p.limit),
      )
    ),
    removeSomeThrough: db.query((q, p: { through: bigint; limit: number }) =>
      q.deleteFrom("logs").where(
        "id",
        "in",
        (some) => some.selectFrom("logs").select("id").where("id", "<=", p.through).orderBy("id").limit(p.limit),
      )
    ),
  };
}

export type LogStore = ReturnType<typeof logStore>;
