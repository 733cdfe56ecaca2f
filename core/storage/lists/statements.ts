import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../database.ts";
import { anyOf } from "../parameters.ts";
import type { Query } from "../query.ts";
import type { TrigramIndex, TrigramSource } from "../trigram_index.ts";
import { COARSE, isLive } from "./counting.ts";
import type { Link, ListShape } from "./declaration.ts";

/** The values of a filter and of the page, by name. */
export type Values = Readonly<Record<string, bigint | string | readonly bigint[]>>;
/** The names of the members that a filter sets; those of days are `days`, and those with lists have a {@link LIST}. */
export type Members = ReadonlySet<string>;
/** Marks a member that is a list of ids. */
export const LIST = "[]";

/** The sum of the buckets of a filter, and if it has a keyword, the ids between which its rows lie. */
export interface Total {
  readonly n: bigint;
  readonly first: bigint;
  readonly end: bigint;
}

/** Compiles a statement that is written in SQL. */
export function statement<Row>(db: Db<unknown>, build: (p: Values) => RawBuilder<Row>): Query<Values, Row> {
  return db.query<Values, Row>((q, p) => ({ compile: () => build(p).compile(q) }));
}

/** Compiles the statements that read the buckets of a filter. */
export function bucketStatements(db: Db<unknown>, list: ListShape, used: Members) {
  const buckets = sql.table(list.derived.buckets);
  const inScope = (p: Values) =>
    and([
      ...list.scopes.map((name) => isOneOf(sql.ref(name), used, name, p)),
      ...list.links.map(({ name }) => sql`${sql.ref(name)} = ${p[name]}`),
      sql`"idBits" = ${p["idBits"]}`,
      ...list.choices.filter((name) => used.has(name)).map((name) => sql`${sql.ref(name)} = ${p[name]}`),
      ...used.has("days") ? [sql`"day" >= ${p["from"]} / 86400 and "day" < ${p["to"]} / 86400`] : [],
    ]);
  // only searches need to know where the rows lie
  const bounds = used.has("keyword")
    ? sql`, coalesce(min("bucket"), 0) << ${COARSE} as "first", (coalesce(max("bucket"), -1) + 1) << ${COARSE} as "end"`
    : sql``;
  return {
    total: statement<Total>(
      db,
      (p) => sql`select coalesce(sum("n"), 0) as "n"${bounds} from ${buckets} where ${inScope(p)}`,
    ),
    buckets: statement<{ bucket: bigint; n: bigint }>(
      db,
      (p) =>
        sql`select "bucket", sum("n") as "n" from ${buckets} where ${inScope(p)}
        and "bucket" >= ${p["firstBucket"]} and "bucket" <= ${
          p["lastBucket"]
        } group by "bucket" order by "bucket" desc`,
    ),
  };
}

/**
 * Compiles the statements that read the rows of a filter.
 *
 * @param texts the index for the keyword; without it, texts are compared row by row
 */
export function rowStatements<Row>(db: Db<unknown>, list: ListShape, used: Members, texts: TrigramIndex | undefined) {
  const rows = sql.table(list.table);
  const links = list.links.filter(({ name }) => used.has(name));

  /** Returns the conditions that an id lies where the buckets of a filter, or those of a page, lie. */
  const within = (id: RawBuilder<bigint>, p: Values, hasFirst = used.has("keyword")) => [
    sql<SqlBool>`${id} < ${p["end"]}`,
    ...hasFirst ? [sql<SqlBool>`${id} >= ${p["first"]}`] : [],
  ];

  /** Selects the ids of all matching rows, each once. */
  function matchingIds(p: Values) {
    const sources = texts === undefined ? [linkedRows(list, used, p)] : searchedRows(list, used, texts, p);
    const selects = sources.map(({ id, from, where }, index) => {
      // rows that are not indexed yet have their own lower bound, and SQLite looks up only one by an index
      const bounds = within(id, p, used.has("keyword") && index === 0);
      const conditions = matches(list, used, p, texts === undefined ? sql`` : sql`+`);
      return sql`select ${id} as "id" from ${from} where ${and([where, ...conditions, ...bounds])}`;
    });
    return sql.join(selects, sql` union all `);
  }

  const onePage = (p: Values) => sql`order by "id" desc limit ${p["size"]} offset ${p["offset"]}`;
  const isPlain = links.length === 0 && texts === undefined;
  return {
    page: statement<Row>(
      db,
      (p) =>
        isPlain
          ? sql<Row>`select * from ${rows} where ${and([...matches(list, used, p), ...within(sql`"id"`, p)])} ${
            onePage(p)
          }`
          : sql<Row>`select * from ${rows} where "id" in (${matchingIds(p)} ${onePage(p)}) order by "id" desc`,
    ),
    /** A page within ranges of ids, a JSON array of pairs: the first id, and the one after the last. */
    pageInRanges: statement<Row>(db, (p) => {
      const { id, from, where } = linkedRows(list, used, p);
      const inRange = sql<SqlBool>`${id} >= range.value ->> 0 and ${id} < range.value ->> 1`;
      return sql<Row>`select * from ${rows} where "id" in (
        select ${id} from json_each(${p["ranges"]}) as range cross join ${from}
        where ${and([where, inRange, ...matches(list, used, p, sql`+`)])}) ${onePage(p)}`;
    }),
    count: statement<{ n: bigint }>(db, (p) => sql`select count(*) as "n" from (${matchingIds(p)})`),
  };
}

/** Returns the source of all rows, or of those in the first link of a filter. */
function linkedRows(list: ListShape, used: Members, p: Values): TrigramSource {
  const rows = sql.table(list.table);
  const [link, ...others] = list.links.filter(({ name }) => used.has(name));
  if (link === undefined) return { id: sql`${rows}."id"`, from: rows, where: sql`true` };
  return {
    id: sql`link."id"`,
    from: sql`${sql.table(list.derived.links)} as link cross join ${rows}`,
    where: and([
      sql`link."link" = ${sql.lit(list.links.indexOf(link))} and link."value" = ${p[link.name]}`,
      sql`${rows}."id" = link."id"`,
      ...others.map((other) => isLinked(list, other, p)),
    ]),
  };
}

/** Returns the sources of rows that may contain a keyword, each of which is in the order of ids. */
function searchedRows(list: ListShape, used: Members, texts: TrigramIndex, p: Values): readonly TrigramSource[] {
  const rows = sql.table(list.table);
  const [index, changes] = [sql.table(list.derived.search), sql.table(list.derived.searchChanges)];
  const match = p["match"] as string;
  const edited: TrigramSource = {
    id: sql`edited."id"`,
    from: sql`${changes} as edited cross join ${rows}`,
    where: sql`${rows}."id" = edited."id"
      and not exists (select 1 from ${index} where ${index} match ${match} and rowid = edited."id")`,
  };
  const linked = list.links.filter(({ name }) => used.has(name)).map((link) => isLinked(list, link, p));
  return [...texts.sources(list.table, match), edited]
    .map(({ where, ...source }) => ({ ...source, where: and([where, ...linked]) }));
}

function isLinked({ table, links, derived }: ListShape, link: Link, p: Values): RawBuilder<SqlBool> {
  return sql`exists (select 1 from ${sql.table(derived.links)} where "link" = ${sql.lit(links.indexOf(link))}
    and "value" = ${p[link.name]} and "id" = ${sql.table(table)}."id")`;
}

/**
 * Returns the conditions that a row matches a filter, apart from its links. The plus before a column keeps SQLite from
 * using an index of it, since rows are read in the order of their ids.
 *
 * @param inOrder a plus to read rows with one of several scopes in the order of their ids, too
 */
function matches(list: ListShape, used: Members, p: Values, inOrder = sql``): RawBuilder<SqlBool>[] {
  const column = (name: string) => sql.ref(`${list.table}.${name}`);
  const { scopes, choices, days, search } = list;
  // an expression, because SQLite would prepare the statement again for each pattern that is a plain parameter
  const pattern = sql`(${p["pattern"]} || '')`;
  return [
    sql.raw(isLive(list, `"${list.table}"`)),
    ...scopes.filter((name) => used.has(name))
      .map((name) => sql<SqlBool>`${isOneOf(column(name), used, name, p, inOrder)} and ${column(name)} <> 0`),
    ...choices.filter((name) => used.has(name)).map((name) => sql<SqlBool>`+${column(name)} = ${p[name]}`),
    ...days !== undefined && used.has("days")
      ? [sql<SqlBool>`+${column(days)} >= ${p["from"]} and +${column(days)} < ${p["to"]}`]
      : [],
    ...used.has("keyword")
      ? [
        sql<SqlBool>`(${sql.join(search.map((name) => sql`${column(name)} like ${pattern} escape '\\'`), sql` or `)})`,
      ]
      : [],
  ];
}

function isOneOf(
  column: RawBuilder<unknown>,
  used: Members,
  name: string,
  p: Values,
  inOrder = sql``,
): RawBuilder<SqlBool> {
  const value = p[name];
  // in buckets, 0 stands for any
  return used.has(name + LIST)
    ? sql`${inOrder}${column} in ${anyOf(value as readonly bigint[])} and ${column} <> 0`
    : sql`${column} = ${value}`;
}

function and(conditions: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> {
  return sql`${sql.join(conditions, sql` and `)}`;
}
