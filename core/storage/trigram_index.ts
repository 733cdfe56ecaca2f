import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Call } from "../base/call.ts";
import { distinct } from "../base/distinct.ts";
import { inBatches } from "./batches.ts";
import type { Db } from "./database.ts";
import { anyOf, MAX_SEARCHED_LENGTH } from "./parameters.ts";
import type { Query } from "./query.ts";

/** The maximum number of trigrams in a query. More would cost time without excluding many rows. */
const MAX_TRIGRAMS = 6;
const COMMON = /[etaoinsrhld .]/gi;

/**
 * Returns a full text query for the rarest trigrams of the texts. It matches every row that contains all texts, and
 * possibly others.
 *
 * @returns undefined if all texts have fewer than three characters
 *
 * @example
 * ```ts
 * import { trigramQuery } from "edgehelm/storage";
 *
 * const match = trigramQuery("bread", "butter");
 * ```
 */
export function trigramQuery(...texts: readonly string[]): string | undefined {
  const trigrams = texts.flatMap((text) => {
    // `containing` refuses longer texts, perhaps later
    const letters = [...text.slice(0, MAX_SEARCHED_LENGTH)];
    return letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter);
  });
  if (trigrams.length === 0) return undefined;
  const commonness = (trigram: string) => trigram.match(COMMON)?.length ?? 0;
  const rarest = distinct(trigrams).sort((a, b) => commonness(a) - commonness(b)).slice(0, MAX_TRIGRAMS);
  return rarest.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ");
}

/** The number of rows per transaction, small enough not to delay other writers noticeably. */
const BATCH_SIZE = 500;

/** The tables of a trigram index. See {@link trigramIndex}. */
export interface TrigramTables<Tables, Rows extends keyof Tables> {
  /** The table to search. Its ids must grow and never be reused, and its texts must not change. */
  readonly rows: Rows & string;
  /** The full text table. */
  readonly index: keyof Tables & string;
  /** A table of one row, whose `indexedId` is the id up to which rows are in the index, at first 0. */
  readonly state: keyof Tables & string;
  /** The columns to search, which have the same names in both tables. */
  readonly columns: readonly (keyof Tables[Rows] & string)[];
  /** A column that is 1 for the rows to index; without it, all rows are indexed. */
  readonly live?: keyof Tables[Rows] & string;
}

/** A source of rows that may match, for `select ${id} from ${from} where ${where}`. */
export interface TrigramSource {
  readonly id: RawBuilder<bigint>;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<SqlBool>;
}

/** A full text index that is updated in the background. See {@link trigramIndex}. */
export interface TrigramIndex {
  /** Adds new rows to the index in batches. To be called by a job. */
  catchUp(call: Call): Promise<void>;
  /** Removes rows from the index. To be run in the transaction that deletes the rows. */
  readonly remove: Query<{ ids: readonly bigint[] }, unknown>;
  /**
   * Returns the sources of rows that may match: the matching rows in the index, and all rows that are not in the index
   * yet. Each row has one source, and each source is in the order of ids. The query must check the texts with LIKE.
   *
   * @param alias the name of the table of rows in the query
   * @param match a result of {@link trigramQuery}
   */
  sources(alias: string, match: string): readonly TrigramSource[];
}

/** The table names are known only at run time, so the query builder cannot infer the columns. */
type AnyTables = Record<string, Record<string, bigint>>;
type Names = { rows: string; index: string; state: string; columns: readonly string[]; live?: string };

/**
 * Creates a full text index for substring search in a large table. Inserts cost nothing extra, because a job adds rows
 * to the index later; rows that are not in the index yet are searched, too. A migration of the plugin must create the
 * two tables and set `deletemerge` to 0: with its default, deletions would rewrite the whole index repeatedly and block
 * writers.
 *
 * @example
 * ```ts
 * import { trigramIndex } from "edgehelm/storage";
 *
 * // The migration:
 * // create virtual table noteSearch
 * //   using fts5(title, text, content='', contentless_delete=1, detail=none, tokenize='trigram')
 * // insert into noteSearch (noteSearch, rank) values ('deletemerge', 0)
 * // create table noteSearchState (id integer primary key, indexedId integer not null) strict
 * // insert into noteSearchState values (1, 0)
 * const index = trigramIndex(db, {
 *   rows: "notes",
 *   index: "noteSearch",
 *   state: "noteSearchState",
 *   columns: ["title", "text"],
 * });
 * every({ name: "index", everySeconds: 10, run: (call) => index.catchUp(call) });
 * ```
 */
export function trigramIndex<Tables, Rows extends keyof Tables>(
  db: Db<Tables>,
  names: TrigramTables<Tables, Rows>,
): TrigramIndex {
  const { rows, index, state, columns, live }: Names = names;
  const tables = db as unknown as Db<AnyTables>;
  const indexedId = (q: Kysely<AnyTables>) => q.selectFrom(state).select("indexedId").where("id", "=", 1n);
  const last = tables.query(indexedId);
  const setLast = tables.query((q, p: { last: bigint }) =>
    q.updateTable(state).set({ indexedId: p.last }).where("id", "=", 1n)
  );
  const next = tables.query((q, p: { after: bigint; limit: number }) =>
    q.selectFrom(rows).select("id").where("id", ">", p.after).orderBy("id").limit(p.limit)
  );
  const add = tables.query((q, p: { after: bigint; last: bigint; limit: number }) =>
    q.insertInto(index).columns(["rowid", ...columns]).expression((e) =>
      e.selectFrom(rows).select(["id as rowid", ...columns]).where("id", ">", p.after)
        .where("id", "<=", p.last).orderBy("id").limit(p.limit)
        .$if(live !== undefined, (rows) => rows.where(live!, "=", 1n))
    )
  );

  const anyIndexed = tables.query((q, p: { last: bigint }) =>
    q.selectFrom(rows).select("id").where("id", "<=", p.last).limit(1)
  );
  const clear = tables.query((q) => q.insertInto(index).values({ [index]: sql<bigint>`'delete-all'` }));

  async function addBatch(call: Call, limit: number): Promise<number> {
    const { indexedId: after } = await last.one(call, {});
    const ids = await next.all(call, { after, limit });
    const newest = ids.at(-1)?.id;
    if (newest === undefined) return 0;
    // removed rows occupy space until parts of the index are merged; an index without other rows is cleared instead
    if (after > 0n && await anyIndexed.first(call, { last: after }) === undefined) await clear.run(call, {});
    await add.run(call, { after, last: newest, limit });
    await setLast.run(call, { last: newest });
    return ids.length;
  }

  return {
    catchUp: (call) => inBatches(call, BATCH_SIZE, addBatch),
    remove: tables.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom(index).where("rowid", "in", anyOf(p.ids)).where("rowid", "<=", indexedId(q))
    ),
    sources(alias, match) {
      const [row, found] = [sql.table(alias), sql.table(index)];
      return [
        {
          id: sql`found.rowid`,
          from: sql`${found} as found cross join ${sql.table(rows)} as ${row}`,
          // the index returns rows in the order of ids, so that a page reads no more rows than it shows
          where: sql`found.${found} match ${match} and ${row}.id = found.rowid`,
        },
        {
          id: sql`${row}.id`,
          from: sql`${sql.table(rows)} as ${row}`,
          where: sql`${row}.id > (select indexedId from ${sql.table(state)})`,
        },
      ];
    },
  };
}
