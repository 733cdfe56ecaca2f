import { type Kysely, type RawBuilder, type Selectable, sql, type SqlBool } from "kysely";
import type { Call } from "../../base/call.ts";
import type { Page } from "../../fields/page.ts";
import type { ChangedValues } from "../column_values.ts";
import type { Db } from "../database.ts";
import { memoizeByShape } from "../memoize_by_shape.ts";
import { containing } from "../parameters.ts";
import { isLive, rowCount } from "./selections.ts";

/** The lists and the count of a table. See {@link rowList}. */
export interface RowList<Filter, Row> {
  /** Returns all matching rows. */
  all(call: Call, filter: Filter): Promise<Row[]>;
  /** Returns a page of the matching rows. */
  page(call: Call, filter: Filter, page: Page): Promise<Row[]>;
  /** Counts the matching rows. */
  count(call: Call, filter: Filter): Promise<{ count: bigint }>;
}

/** The conditions and the order of a list. The types are the names of columns. */
export interface RowListOptions<Column extends string, Equal, EqualIfSet, Contains> {
  /**
   * A condition of all lists. Its values are literals, because a parameter would keep SQLite from using partial indexes.
   */
  readonly where?: RawBuilder<SqlBool>;
  /** The columns that must have the value of the filter. */
  readonly equal?: readonly Equal[];
  /**
   * Like `equal`, except that a value of 0, "", false or undefined matches any. What a caller owns belongs into `equal`,
   * so that a missing owner does not match everything.
   */
  readonly equalIfSet?: readonly EqualIfSet[];
  /**
   * The columns that are searched for the member `keyword` of the filter; an empty keyword matches any. A search reads
   * all rows, outside the event loop.
   */
  readonly contains?: readonly Contains[];
  /** The columns that determine the order, the first one first. The last one must be unique. */
  readonly order: { readonly [Name in Column]?: "asc" | "desc" };
}

/** The filter of a list. */
export type RowFilter<Table, Equal extends keyof Table, EqualIfSet extends keyof Table, Contains> =
  & ChangedValues<Table, Equal>
  & { readonly [Name in EqualIfSet]?: ChangedValues<Table, EqualIfSet>[Name] | undefined }
  & ([Contains] extends [never] ? unknown : { readonly keyword: string });

type AnyTable = Kysely<Record<string, Record<string, unknown>>>;
type AnyFilter = Readonly<Record<string, unknown>>;

/**
 * Creates the lists and the count of the rows of a table that are not deleted. The statements contain only the conditions
 * that a filter sets, so that each can use a suitable index.
 *
 * @param options the conditions, whose values are in the filter of each run, and the order
 *
 * @example
 * ```ts
 * import { pageOf } from "edgehelm";
 * import { rowList } from "edgehelm/rows";
 *
 * const plans = rowList(db, "plans", { equalIfSet: ["priceType"], contains: ["name"], order: { id: "desc" } });
 * const { count } = await plans.count(call, { keyword: "small" });
 * const page = await plans.page(call, { keyword: "", priceType: "monthly" }, pageOf(request));
 * ```
 */
export function rowList<
  Tables,
  Name extends keyof Tables & string,
  const Equal extends keyof Tables[Name] & string = never,
  const EqualIfSet extends keyof Tables[Name] & string = never,
  const Contains extends keyof Tables[Name] & string = never,
>(
  db: Db<Tables>,
  table: Name,
  options: RowListOptions<keyof Tables[Name] & string, Equal, EqualIfSet, Contains>,
): RowList<RowFilter<Tables[Name], Equal, EqualIfSet, Contains>, Selectable<Tables[Name]>> {
  const { equal = [], equalIfSet = [], contains = [] } = options;
  const order = Object.entries(options.order) as [string, "asc" | "desc"][];
  const isSearch = (filter: AnyFilter) => contains.length > 0 && keywordOf(filter) !== "";

  function compile(filter: AnyFilter) {
    const columns = [...equal, ...equalIfSet.filter((column) => isSet(filter[column]))];
    const matching = (q: Kysely<Tables>, p: AnyFilter) => {
      const conditions = columns.map((column) => sql<SqlBool>`${sql.ref(column)} = ${p[column]}`);
      if (isSearch(filter)) {
        const each = contains.map((column) => sql`${sql.ref(column)} like ${p["pattern"]} escape '\\'`);
        conditions.push(sql<SqlBool>`(${sql.join(each, sql` or `)})`);
      }
      const live = (q as unknown as AnyTable).selectFrom(table as string).where(isLive)
        .$if(options.where !== undefined, (rows) => rows.where(options.where!));
      return conditions.reduce((rows, condition) => rows.where(condition), live);
    };
    const ordered = (q: Kysely<Tables>, p: AnyFilter) =>
      order.reduce((rows, [column, direction]) => rows.orderBy(column, direction), matching(q, p).selectAll());
    return {
      all: db.query(ordered),
      page: db.query((q, p: AnyFilter & Page) => ordered(q, p).limit(p.size).offset(p.offset)),
      count: db.query((q, p: AnyFilter) => matching(q, p).select(rowCount)),
    };
  }

  const statementsFor = memoizeByShape(
    (filter: AnyFilter) => [...equalIfSet.map((column) => isSet(filter[column])), isSearch(filter)],
    compile,
  );

  function valuesOf(filter: AnyFilter, page?: Page) {
    return { ...filter, ...page, pattern: containing(keywordOf(filter)) } as AnyFilter & Page;
  }

  const list: RowList<AnyFilter, unknown> = {
    all: (call, filter) => statementsFor(filter).all[isSearch(filter) ? "scan" : "all"](call, valuesOf(filter)),
    page: (call, filter, page) =>
      statementsFor(filter).page[isSearch(filter) ? "scan" : "all"](call, valuesOf(filter, page)),
    async count(call, filter) {
      const { count } = statementsFor(filter);
      return isSearch(filter) ? (await count.scan(call, valuesOf(filter)))[0]! : await count.one(call, filter);
    },
  };
  // The columns are values here, so the types cannot follow.
  return list as unknown as ReturnType<typeof rowList<Tables, Name, Equal, EqualIfSet, Contains>>;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== 0n && value !== 0 && value !== "" && value !== false;
}

function keywordOf({ keyword }: AnyFilter): string {
  return typeof keyword === "string" ? keyword : "";
}
