import { anyOf, type Call, type Db, type Page } from "edgehelm";
import { containing, type Query } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import { isLive, type NSRecordRow, type Tables } from "./store.ts";

/** The filter of lists and counts in a domain; "" matches any. */
export interface Filter {
  readonly nsDomainId: bigint;
  readonly type: string;
  readonly keyword: string;
  readonly routeCode: string;
}

/** The search criteria of a bulk operation in a domain; "" and an empty list match any. */
export interface Search {
  readonly nsDomainId: bigint;
  readonly name: string;
  /** Matches records with any of these values. */
  readonly values: readonly string[];
  readonly type: string;
  /** Matches records with any of these routes. */
  readonly routeCodes: readonly string[];
}

export type Order = { readonly column: "id" | "name" | "type" | "ttl" | "isUp"; readonly direction: "asc" | "desc" };

type Values = Filter & Page & { readonly pattern: string };
type Statements = { readonly list: Query<Values, NSRecordRow>; readonly count: Query<Values, { count: bigint }> };

/** Domains with more records are scanned outside the event loop. */
const MAX_INLINE_SCAN = 2000n;
/** The highest offset at which skipping rows along an index is fast. */
const MAX_INLINE_OFFSET = 5000n;
const INDEXED_COLUMNS = ["id", "name", "type"];

/** Lists and counts records through indexes and stored counts if possible, otherwise outside the event loop. */
export function nsRecordLists(db: Db<Tables>) {
  const counts = db.query((q, p: { nsDomainId: bigint; type: string }) =>
    q.selectFrom("nsRecordCounts").select(sql<bigint>`coalesce(sum(n), 0)`.as("count"))
      .where("nsDomainId", "=", p.nsDomainId).where(sql<SqlBool>`${p.type} in ('', type)`)
  );
  const statements = new Map<string, Statements>();

  function statementsFor(filter: Filter, order: Order): Statements {
    const { type, keyword, routeCode } = filter;
    const shape = [type !== "", keyword !== "", routeCode !== "", order.column, order.direction].join();
    let compiled = statements.get(shape);
    if (compiled === undefined) statements.set(shape, compiled = compile(db, filter, order));
    return compiled;
  }

  /** Returns the method to run a query: outside the event loop, unless an index bounds it or the domain is small. */
  async function runMethod(call: Call, { nsDomainId }: Filter, isBounded: boolean): Promise<"all" | "scan"> {
    if (isBounded || (await counts.one(call, { nsDomainId, type: "" })).count <= MAX_INLINE_SCAN) return "all";
    return "scan";
  }

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      if (filter.keyword === "" && filter.routeCode === "") return (await counts.one(call, filter)).count;
      const { count } = statementsFor(filter, { column: "id", direction: "desc" });
      const values = { ...filter, pattern: containing(filter.keyword), offset: 0n, size: 0n };
      return (await count[await runMethod(call, filter, false)](call, values))[0]!.count;
    },

    async list(call: Call, filter: Filter, order: Order, page: Page): Promise<NSRecordRow[]> {
      const isFiltered = filter.keyword !== "" || filter.routeCode !== "";
      const isBounded = !isFiltered && INDEXED_COLUMNS.includes(order.column) && page.offset <= MAX_INLINE_OFFSET;
      const values = { ...filter, ...page, pattern: containing(filter.keyword) };
      return await statementsFor(filter, order).list[await runMethod(call, filter, isBounded)](call, values);
    },

    /** Returns the records that match the criteria of a bulk operation, at most `limit`. */
    async search(call: Call, { nsDomainId, name, values, type, routeCodes }: Search, limit: number) {
      return await db(call).selectFrom("nsRecords").selectAll().where(isLive).where("nsDomainId", "=", nsDomainId)
        .$if(name !== "", (query) => query.where("name", "=", name))
        .$if(values.length > 0, (query) => query.where("value", "in", values))
        .$if(type !== "", (query) => query.where(sql<SqlBool>`type = ${type}`))
        .$if(routeCodes.length > 0, (query) => query.where(hasAnyRoute(routeCodes)))
        .orderBy("id").limit(limit).execute();
    },
  };
}

export type NSRecordLists = ReturnType<typeof nsRecordLists>;

/** Matches records with the route; records without routes have the default route. */
function hasRoute(code: string) {
  return sql<SqlBool>`(exists (select 1 from json_each(nsRecords.routeCodes) where value = ${code})
    or (nsRecords.routeCodes = '[]' and ${code} = 'default'))`;
}

/** Matches records with one of the routes. Its size does not depend on their number, which callers choose. */
function hasAnyRoute(codes: readonly string[]) {
  const isAny = sql<SqlBool>`exists (select 1 from json_each(nsRecords.routeCodes) where value in ${anyOf(codes)})`;
  return codes.includes("default") ? sql<SqlBool>`(${isAny} or nsRecords.routeCodes = '[]')` : isAny;
}

function compile(db: Db<Tables>, filter: Filter, { column, direction }: Order): Statements {
  const matching = (q: Kysely<Tables>, p: Values) =>
    q.selectFrom("nsRecords").where(isLive).where("nsDomainId", "=", p.nsDomainId)
      .$if(filter.type !== "", (query) => query.where(sql<SqlBool>`type = ${p.type}`))
      .$if(filter.routeCode !== "", (query) => query.where(hasRoute(p.routeCode)))
      .$if(filter.keyword !== "", (query) =>
        query.where(
          sql<SqlBool>`(name like ${p.pattern} escape '\\' or value like ${p.pattern} escape '\\'
            or description like ${p.pattern} escape '\\')`,
        ));
  return {
    // sort only ids: sorting whole rows makes deep pages of large domains more than twice as slow
    list: db.query((q, p: Values) =>
      q.selectFrom("nsRecords").selectAll()
        .where("id", "in", () =>
          matching(q, p).select("id").orderBy(column, direction)
            .$if(column !== "id", (query) => query.orderBy("id", direction)).limit(p.size).offset(p.offset))
        .orderBy(column, direction).$if(column !== "id", (query) => query.orderBy("id", direction))
    ),
    count: db.query((q, p: Values) => matching(q, p).select((e) => e.fn.countAll<bigint>().as("count"))),
  };
}
