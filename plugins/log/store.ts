import { anyOf, type Call, type Db, type Page, type TimeSpan, type TrigramIndex, trigramIndex } from "edgehelm";
import { type Generated, type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";

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
  /** Full text; rowid is the id of the log. */
  logSearch: { rowid: bigint; action: string; description: string; ip: string };
  /** One row: up to which id logs are in the search index. */
  logSearchState: { id: Generated<bigint>; indexedId: bigint };
}

export type LogRow = Selectable<Tables["logs"]>;
export type NewLog = Omit<LogRow, "id">;

/** Which logs a list is about; empty stands for all. */
export interface Filter extends TimeSpan {
  readonly level: string;
  /** `admin` or `user`. */
  readonly userType: string;
  /** Part of a text. */
  readonly keyword: string;
}

/** How many bits of the id the buckets leave out. */
export const [COARSE, FINE] = [18n, 10n];

export function newestFirst(q: Kysely<Tables>) {
  return q.selectFrom("logs as l")
    .select(["l.id", "l.level", "l.action", "l.description", "l.ip", "l.adminId", "l.userId", "l.createdAt"])
    .orderBy("l.id", "desc");
}

/**
 * Whether the log `l` is one that a filter asks for, whatever its texts are. The plus before createdAt keeps its index
 * out: what is wanted are the newest by id, and few logs at a time.
 */
export function isAsked(p: Filter): RawBuilder<SqlBool> {
  return sql`+l.createdAt >= ${p.from} and +l.createdAt < ${p.to} and (${p.level} = '' or l.level = ${p.level})
    and (${p.userType} = '' or (l.userId > 0) = (${p.userType} = 'user'))`;
}

/** Whether a bucket counts logs that a filter asks for, whatever their texts are. */
export function isCounted(p: Filter): RawBuilder<SqlBool> {
  return sql`day >= ${p.from} / 86400 and day < ${p.to} / 86400 and (${p.level} = '' or level = ${p.level})
    and (${p.userType} = '' or byUser = (${p.userType} = 'user'))`;
}

/** The search index of texts. */
export function logTexts(db: Db<Tables>): TrigramIndex {
  return trigramIndex(db, {
    rows: "logs",
    index: "logSearch",
    state: "logSearchState",
    columns: ["action", "description", "ip"],
  });
}

/** The SQL of this plugin but searching. */
export function logStore(db: Db<Tables>, texts: TrigramIndex) {
  const counted = (q: Kysely<Tables>, p: Filter) => q.selectFrom("logBuckets").where(isCounted(p));
  const remove = db.query((q, p: { ids: bigint[] }) => q.deleteFrom("logs").where("id", "in", anyOf(p.ids)));

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
      newestFirst(q).where(isAsked(p)).where(
        "l.id",
        "in",
        sql<bigint>`(select one.id from json_each(${p.ranges}) as r
          cross join logs as one on one.id >= r.value ->> 0 and one.id < r.value ->> 1)`,
      ).limit(p.size).offset(p.offset)
    ),
    someBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("logs").select("id").where("createdAt", "<", p.before).limit(p.limit)
    ),
    someThrough: db.query((q, p: { through: bigint; limit: number }) =>
      q.selectFrom("logs").select("id").where("id", "<=", p.through).orderBy("id").limit(p.limit)
    ),
    /** Removes logs, and answers how many there were. */
    async remove(call: Call, ids: bigint[]): Promise<bigint> {
      await texts.remove.defer(call, { ids });
      return await remove.run(call, { ids });
    },
  };
}

export type LogStore = ReturnType<typeof logStore>;
