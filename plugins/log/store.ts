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
  /** How many logs there are in buckets of ids, kept by triggers. */
  logBuckets: { idBits: bigint; bucket: bigint; day: bigint; level: string; byUser: bigint; n: bigint };
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

/** How many bits of the id the buckets leave out. */
export const [COARSE, FINE] = [18n, 10n];

/** All SQL of this plugin. */
export function logStore(db: Db<Tables>) {
  const newestFirst = (q: Kysely<Tables>) =>
    q.selectFrom("logs")
      .select(["id", "level", "action", "description", "ip", "adminId", "userId", "createdAt"])
      .orderBy("id", "desc");
  // The plus before createdAt keeps its index out: what is wanted are the newest by id, and few logs at a time.
  const counted = (q: Kysely<Tables>, p: Filter) =>
    q.selectFrom("logBuckets").where(sql<boolean>`day >= ${p.from} / 86400 and day < ${p.to} / 86400
      and (${p.level} = '' or level = ${p.level}) and (${p.userType} = '' or byUser = (${p.userType} = 'user'))`);
  const matches = (p: Filter) =>
    sql<boolean>`+createdAt >= ${p.from} and +createdAt < ${p.to} and (${p.level} = '' or level = ${p.level})
      and (${p.userType} = '' or (userId > 0) = (${p.userType} = 'user'))
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
    /** How many match, by what is kept; it knows nothing of texts. */
    count: db.query((q, p: Filter) =>
      counted(q, p).select(sql<bigint>`coalesce(sum(n), 0)`.as("count")).where("idBits", "=", sql.lit(COARSE))
    ),
    buckets: db.query((q, p: Filter & { idBits: bigint; first: bigint; last: bigint }) =>
      counted(q, p).select(["bucket", sql<bigint>`sum(n)`.as("n")]).where("idBits", "=", p.idBits)
        .where("bucket", ">=", p.first).where("bucket", "<=", p.last).groupBy("bucket").orderBy("bucket", "desc")
    ),
    /** A page within ranges of ids, which are JSON: arrays of a first id and the one after the last. */
    pageWithin: db.query((q, p: Filter & Page & { ranges: string }) =>
      newestFirst(q).where(matches(p)).where(
        "id",
        "in",
        sql<bigint>`(select l.id from json_each(${p.ranges}) as r
          cross join logs as l on l.id >= r.value ->> 0 and l.id < r.value ->> 1)`,
      ).limit(p.size).offset(p.offset)
    ),
    // Texts are looked for log by log, apart from the event loop.
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
