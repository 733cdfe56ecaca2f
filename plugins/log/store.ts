import { anyOf, type Call, type Db, type Page } from "edgehelm";
import type { TimeSpan } from "edgehelm/fields";
import { type TrigramIndex, trigramIndex } from "edgehelm/storage";
import { type Generated, type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";

export interface Tables {
  logs: {
    id: Generated<bigint>;
    level: string;
    action: string;
    description: string;
    ip: string;
    /** 0 if a user did it. */
    adminId: bigint;
    /** 0 if an admin did it. */
    userId: bigint;
    createdAt: bigint;
  };
  /** One row, maintained by triggers. */
  logTotals: { id: bigint; count: bigint; bytes: bigint };
  /** The number of logs per bucket of ids, maintained by triggers. */
  logBuckets: { idBits: bigint; bucket: bigint; day: bigint; level: string; byUser: bigint; n: bigint };
  /** The full-text index; rowid is the id of the log. */
  logSearch: { rowid: bigint; action: string; description: string; ip: string };
  /** One row: the id up to which logs are indexed. */
  logSearchState: { id: Generated<bigint>; indexedId: bigint };
}

export type LogRow = Selectable<Tables["logs"]>;
export type NewLog = Omit<LogRow, "id">;

/** Selects logs for a list or a count; empty selects all. */
export interface Filter extends TimeSpan {
  readonly level: string;
  /** `admin` or `user`. */
  readonly userType: string;
  /** The text that a log must contain. */
  readonly keyword: string;
}

/** The number of low bits of an id that coarse and fine buckets ignore. */
export const [COARSE, FINE] = [18n, 10n];

export function newestFirst(q: Kysely<Tables>) {
  return q.selectFrom("logs as l")
    .select(["l.id", "l.level", "l.action", "l.description", "l.ip", "l.adminId", "l.userId", "l.createdAt"])
    .orderBy("l.id", "desc");
}

/**
 * Returns the condition that the log `l` matches a filter, apart from the keyword. The plus before createdAt keeps SQLite
 * from using its index, since the newest logs are found faster by id.
 */
export function matchesFilter(p: Filter): RawBuilder<SqlBool> {
  return sql`+l.createdAt >= ${p.from} and +l.createdAt < ${p.to} and (${p.level} = '' or l.level = ${p.level})
    and (${p.userType} = '' or (l.userId > 0) = (${p.userType} = 'user'))`;
}

/** Returns the condition that the logs of a bucket match a filter, apart from the keyword. */
export function bucketMatchesFilter(p: Filter): RawBuilder<SqlBool> {
  return sql`day >= ${p.from} / 86400 and day < ${p.to} / 86400 and (${p.level} = '' or level = ${p.level})
    and (${p.userType} = '' or byUser = (${p.userType} = 'user'))`;
}

/** Returns the search index of the texts of logs. */
export function logTextIndex(db: Db<Tables>): TrigramIndex {
  return trigramIndex(db, {
    rows: "logs",
    index: "logSearch",
    state: "logSearchState",
    columns: ["action", "description", "ip"],
  });
}

/** Defines the SQL statements of this plugin, except those of searches. */
export function logStore(db: Db<Tables>, index: TrigramIndex) {
  const matchingBuckets = (q: Kysely<Tables>, p: Filter) => q.selectFrom("logBuckets").where(bucketMatchesFilter(p));
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
    /** Counts the logs that match by their buckets, ignoring the keyword. */
    count: db.query((q, p: Filter) =>
      matchingBuckets(q, p).select(sql<bigint>`coalesce(sum(n), 0)`.as("count")).where("idBits", "=", sql.lit(COARSE))
    ),
    buckets: db.query((q, p: Filter & { idBits: bigint; first: bigint; last: bigint }) =>
      matchingBuckets(q, p).select(["bucket", sql<bigint>`sum(n)`.as("n")]).where("idBits", "=", p.idBits)
        .where("bucket", ">=", p.first).where("bucket", "<=", p.last).groupBy("bucket").orderBy("bucket", "desc")
    ),
    /** Selects a page within ranges of ids, a JSON array of `[first, last + 1]` pairs. */
    pageWithin: db.query((q, p: Filter & Page & { ranges: string }) =>
      newestFirst(q).where(matchesFilter(p)).where(
        "l.id",
        "in",
        sql<bigint>`(select c.id from json_each(${p.ranges}) as r
          cross join logs as c on c.id >= r.value ->> 0 and c.id < r.value ->> 1)`,
      ).limit(p.size).offset(p.offset)
    ),
    someBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("logs").select("id").where("createdAt", "<", p.before).limit(p.limit)
    ),
    someThrough: db.query((q, p: { through: bigint; limit: number }) =>
      q.selectFrom("logs").select("id").where("id", "<=", p.through).orderBy("id").limit(p.limit)
    ),
    /** Deletes logs and returns their number. */
    async remove(call: Call, ids: bigint[]): Promise<bigint> {
      await index.remove.defer(call, { ids });
      return await remove.run(call, { ids });
    },
  };
}

export type LogStore = ReturnType<typeof logStore>;
