import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Call } from "../base/call.ts";
import { distinct } from "../base/distinct.ts";
import { inBatches } from "./batches.ts";
import type { Db } from "./database.ts";
import { anyOf } from "./parameters.ts";
import type { Query } from "./query.ts";

/** A few tell enough apart; each more costs time wherever it is common. */
const MAX_TRIGRAMS = 6;
const COMMON = /[etaoinsrhld .]/gi;

/**
 * The rarest trigrams of texts as a full text query, which finds every row that has all these texts, and others too;
 * undefined when the texts are too short to have any.
 */
export function trigramQuery(...texts: readonly string[]): string | undefined {
  const trigrams = texts.flatMap((text) => {
    const letters = [...text];
    return letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter);
  });
  if (trigrams.length === 0) return undefined;
  const commonness = (three: string) => three.match(COMMON)?.length ?? 0;
  const rarest = distinct(trigrams).sort((one, other) => commonness(one) - commonness(other)).slice(0, MAX_TRIGRAMS);
  return rarest.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ");
}

/** Little enough to hold nobody up. */
const INDEXED_AT_ONCE = 500;

/** What an index is made of. */
export interface TrigramTables<Tables, Rows extends keyof Tables> {
  /** The table that is searched: its ids grow, are never used again, and its texts never change. */
  readonly rows: Rows & string;
  /** The full text table. */
  readonly index: keyof Tables & string;
  /** One row, whose `indexedId` tells up to which id rows are in the index; 0 at first. */
  readonly state: keyof Tables & string;
  /** What is searched, by the same names in both tables. */
  readonly columns: readonly (keyof Tables[Rows] & string)[];
}

/** A part of a select of rows that may match: `select ${id} from ${from} where ${where}`. */
export interface TrigramSource {
  readonly id: RawBuilder<bigint>;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<SqlBool>;
}

/** A search index of a table that follows what is written in the background. */
export interface TrigramIndex {
  /** Takes into the index what was written since, a piece at a time; for a job. */
  catchUp(call: Call): Promise<void>;
  /** Takes rows out of the index; run it in the transaction that removes them. */
  readonly remove: Query<{ ids: readonly bigint[] }, unknown>;
  /**
   * Where rows that may match come from, each row from one source, and each source in the order of ids: those in the
   * index, and those that are not in it yet, all of them. What is selected has to look at the texts itself, with LIKE.
   *
   * @param alias names the table of rows in what is selected
   * @param match what `trigramQuery` answered
   */
  sources(alias: string, match: string): readonly TrigramSource[];
}

/** The builder knows the tables by names that are only known when it runs, so it cannot tell their columns. */
type AnyTables = Record<string, Record<string, bigint>>;
type Names = { rows: string; index: string; state: string; columns: readonly string[] };

/**
 * Finds texts in large tables: writing costs nothing more, since rows come into the index later, and what is not in it
 * yet is found too. A migration of the plugin makes the two tables. With the default of `deletemerge`, removing rows
 * rewrites the whole index again and again, and writers wait for it.
 *
 * @example
 * ```ts
 * // create virtual table noteSearch
 * //   using fts5(title, text, content='', contentless_delete=1, detail=none, tokenize='trigram')
 * // insert into noteSearch (noteSearch, rank) values ('deletemerge', 0)
 * // create table noteSearchState (id integer primary key, indexedId integer not null) strict
 * // insert into noteSearchState values (1, 0)
 * const index = trigramIndex(db, {
 *   rows: "notes", index: "noteSearch", state: "noteSearchState", columns: ["title", "text"],
 * });
 * every({ name: "index", everySeconds: 10, run: (call) => index.catchUp(call) });
 * ```
 */
export function trigramIndex<Tables, Rows extends keyof Tables>(
  db: Db<Tables>,
  names: TrigramTables<Tables, Rows>,
): TrigramIndex {
  const { rows, index, state, columns }: Names = names;
  const tables = db as unknown as Db<AnyTables>;
  const indexedId = (q: Kysely<AnyTables>) => q.selectFrom(state).select("indexedId");
  const last = tables.query(indexedId);
  const setLast = tables.query((q, p: { last: bigint }) => q.updateTable(state).set({ indexedId: p.last }));
  const next = tables.query((q, p: { after: bigint; limit: number }) =>
    q.selectFrom(rows).select("id").where("id", ">", p.after).orderBy("id").limit(p.limit)
  );
  const add = tables.query((q, p: { after: bigint; last: bigint }) =>
    q.insertInto(index).columns(["rowid", ...columns]).expression((e) =>
      e.selectFrom(rows).select(["id as rowid", ...columns]).where("id", ">", p.after)
        .where("id", "<=", p.last).orderBy("id")
    )
  );

  const anyIndexed = tables.query((q, p: { last: bigint }) =>
    q.selectFrom(rows).select("id").where("id", "<=", p.last).limit(1)
  );
  const clear = tables.query((q) => q.insertInto(index).values({ [index]: sql<bigint>`'delete-all'` }));

  async function addSome(call: Call, limit: number): Promise<number> {
    const { indexedId: after } = await last.one(call, {});
    const ids = await next.all(call, { after, limit });
    const newest = ids.at(-1)?.id;
    if (newest === undefined) return 0;
    // what was removed takes room until parts of the index are merged: all of it goes at once when nothing else is there
    if (after > 0n && await anyIndexed.first(call, { last: after }) === undefined) await clear.run(call, {});
    await add.run(call, { after, last: newest });
    await setLast.run(call, { last: newest });
    return ids.length;
  }

  return {
    catchUp: (call) => inBatches(call, INDEXED_AT_ONCE, addSome),
    remove: tables.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom(index).where("rowid", "in", anyOf(p.ids)).where("rowid", "<=", indexedId(q))
    ),
    sources(alias, match) {
      const [row, found] = [sql.table(alias), sql.table(index)];
      return [
        {
          id: sql`found.rowid`,
          from: sql`${found} as found cross join ${sql.table(rows)} as ${row}`,
          // the index gives them in the order of ids: a page needs no more than it shows
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
