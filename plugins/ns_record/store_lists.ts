import { type Call, containing, type Db, type Page, type Query } from "edgehelm";
import { type Kysely, sql, type SqlBool } from "kysely";
import { isLive, type NSRecordRow, type Tables } from "./store.ts";

/** Which records of a domain a list or a count takes; "" stands for any. */
export interface Filter {
  readonly nsDomainId: bigint;
  readonly type: string;
  readonly keyword: string;
  readonly routeCode: string;
}

/** What a bulk operation looks for in a domain; "" and none stand for any. */
export interface Search {
  readonly nsDomainId: bigint;
  readonly name: string;
  readonly value: string;
  readonly type: string;
  /** A route that may stand for several: records that have any of them match. */
  readonly routeCodes: readonly string[];
}

export type Order = { readonly column: "id" | "name" | "type" | "ttl" | "isUp"; readonly direction: "asc" | "desc" };

type Values = Filter & Page & { readonly pattern: string };
type Statements = { readonly list: Query<Values, NSRecordRow>; readonly count: Query<Values, { count: bigint }> };

/** A domain of at most so many records is gone through at once; a larger one away from the event loop. */
const SMALL_DOMAIN = 2000n;
/** Up to here passing rows over along an index is quick. */
const NEAR = 5000n;
const INDEXED = ["id", "name", "type"];

/** Lists and counts: by indexes where there are some, by kept counts, and else away from the event loop. */
export function nsRecordLists(db: Db<Tables>) {
  const counts = db.query((q, p: { nsDomainId: bigint; type: string }) =>
    q.selectFrom("nsRecordCounts").select(sql<bigint>`coalesce(sum(n), 0)`.as("count"))
      .where("nsDomainId", "=", p.nsDomainId).where(sql<SqlBool>`${p.type} in ('', type)`)
  );
  const statements = new Map<string, Statements>();

  function statementsFor(filter: Filter, order: Order): Statements {
    const { type, keyword, routeCode } = filter;
    const shape = [type !== "", keyword !== "", routeCode !== "", order.column, order.direction].join();
    let known = statements.get(shape);
    if (known === undefined) statements.set(shape, known = compile(db, filter, order));
    return known;
  }

  /** Reads that an index does not bound go away from the event loop, unless the domain is small. */
  async function wayOf(call: Call, { nsDomainId }: Filter, isBounded: boolean): Promise<"all" | "scan"> {
    if (isBounded || (await counts.one(call, { nsDomainId, type: "" })).count <= SMALL_DOMAIN) return "all";
    return "scan";
  }

  return {
    async count(call: Call, filter: Filter): Promise<bigint> {
      if (filter.keyword === "" && filter.routeCode === "") return (await counts.one(call, filter)).count;
      const { count } = statementsFor(filter, { column: "id", direction: "desc" });
      const values = { ...filter, pattern: containing(filter.keyword), offset: 0n, size: 0n };
      return (await count[await wayOf(call, filter, false)](call, values))[0]!.count;
    },

    async list(call: Call, filter: Filter, order: Order, page: Page): Promise<NSRecordRow[]> {
      const isFiltered = filter.keyword !== "" || filter.routeCode !== "";
      const isBounded = !isFiltered && INDEXED.includes(order.column) && page.offset <= NEAR;
      const values = { ...filter, ...page, pattern: containing(filter.keyword) };
      return await statementsFor(filter, order).list[await wayOf(call, filter, isBounded)](call, values);
    },

    /** What a bulk operation is about, at most `limit`. */
    async search(call: Call, { nsDomainId, name, value, type, routeCodes }: Search, limit: number) {
      return await db(call).selectFrom("nsRecords").selectAll().where(isLive).where("nsDomainId", "=", nsDomainId)
        .$if(name !== "", (one) => one.where("name", "=", name))
        .$if(value !== "", (one) => one.where("value", "=", value))
        .$if(type !== "", (one) => one.where(sql<SqlBool>`type = ${type}`))
        .$if(routeCodes.length > 0, (one) => one.where((e) => e.or(routeCodes.map((code) => hasRoute(code)))))
        .orderBy("id").limit(limit).execute();
    },
  };
}

export type NSRecordLists = ReturnType<typeof nsRecordLists>;

/** A record without routes has the default one. */
function hasRoute(code: string) {
  return sql<SqlBool>`(exists (select 1 from json_each(nsRecords.routeCodes) where value = ${code})
    or (nsRecords.routeCodes = '[]' and ${code} = 'default'))`;
}

function compile(db: Db<Tables>, filter: Filter, { column, direction }: Order): Statements {
  const matching = (q: Kysely<Tables>, p: Values) =>
    q.selectFrom("nsRecords").where(isLive).where("nsDomainId", "=", p.nsDomainId)
      .$if(filter.type !== "", (one) => one.where(sql<SqlBool>`type = ${p.type}`))
      .$if(filter.routeCode !== "", (one) => one.where(hasRoute(p.routeCode)))
      .$if(filter.keyword !== "", (one) =>
        one.where(
          sql<SqlBool>`(name like ${p.pattern} escape '\\' or value like ${p.pattern} escape '\\'
            or description like ${p.pattern} escape '\\')`,
        ));
  return {
    // only ids are sorted: whole rows in the sorter make deep pages of large domains more than twice as slow
    list: db.query((q, p: Values) =>
      q.selectFrom("nsRecords").selectAll()
        .where("id", "in", () =>
          matching(q, p).select("id").orderBy(column, direction)
            .$if(column !== "id", (one) => one.orderBy("id", direction)).limit(p.size).offset(p.offset))
        .orderBy(column, direction).$if(column !== "id", (one) => one.orderBy("id", direction))
    ),
    count: db.query((q, p: Values) => matching(q, p).select((e) => e.fn.countAll<bigint>().as("count"))),
  };
}
