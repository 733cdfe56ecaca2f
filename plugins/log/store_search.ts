import type { Call, Db, Page } from "edgehelm";
import { containing, type TrigramIndex, trigramQuery, type TrigramSource } from "edgehelm/storage";
import { sql } from "kysely";
import {
  bucketMatchesFilter,
  COARSE,
  type Filter,
  type LogRow,
  matchesFilter,
  newestFirst,
  type Tables,
} from "./store.ts";

type Values = Filter & Page & { pattern: string; match: string };

/** Keywords without trigrams, for which every log is read. */
const ALL_LOGS: TrigramSource = { id: sql`l.id`, from: sql`logs as l`, where: sql`true` };

/** Lists and counts logs by a keyword, outside the event loop. */
export function logSearch(db: Db<Tables>, index: TrigramIndex) {
  const indexed = compile(db, (p) => index.sources("l", p.match));
  const unindexed = compile(db, () => [ALL_LOGS]);

  function statementsFor(filter: Filter, page: Page) {
    const match = trigramQuery(filter.keyword);
    const values: Values = { ...filter, ...page, pattern: containing(filter.keyword), match: match ?? "" };
    return { ...(match === undefined ? unindexed : indexed), values };
  }

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      const { count, values } = statementsFor(filter, { offset: 0n, size: 0n });
      return (await count.scan(call, values))[0]!.n;
    },
    async page(call: Call, filter: Filter, page: Page): Promise<LogRow[]> {
      const { list, values } = statementsFor(filter, page);
      return await list.scan(call, values);
    },
  };
}

export type LogSearch = ReturnType<typeof logSearch>;

function compile(db: Db<Tables>, sources: (p: Values) => readonly TrigramSource[]) {
  /** Selects the ids of all logs that match, without duplicates. */
  function matchingIds(p: Values) {
    const bucket = (aggregate: "min" | "max") =>
      sql`(select ${sql.raw(aggregate)}(bucket) from logBuckets where idBits = ${sql.lit(COARSE)} and ${
        bucketMatchesFilter(p)
      })`;
    const selects = sources(p).map(({ id, from, where }) =>
      sql`select ${id} as id from ${from} where ${where} and ${matchesFilter(p)}
        and (l.description like ${p.pattern} escape '\\' or l.ip like ${p.pattern} escape '\\'
          or l.action like ${p.pattern} escape '\\')
        and ${id} >= ${bucket("min")} << ${sql.lit(COARSE)} and ${id} < (${bucket("max")} + 1) << ${sql.lit(COARSE)}`
    );
    return sql<{ id: bigint }>`(${sql.join(selects, sql` union all `)})`;
  }
  return {
    list: db.query((q, p: Values) =>
      newestFirst(q).where(
        "l.id",
        "in",
        sql<bigint>`(select id from ${matchingIds(p)} order by id desc limit ${p.size} offset ${p.offset})`,
      )
    ),
    count: db.query((q, p: Values) => q.selectFrom(matchingIds(p).as("found")).select(sql<bigint>`count(*)`.as("n"))),
  };
}
