import { type Compilable, type Kysely, sql } from "kysely";
import type { Call } from "../base/call.ts";
import { pick } from "../base/pick.ts";
import { captureOf } from "./change_capture.ts";
import { type KernelCall, kernelCall } from "./kernel_call.ts";
import type { ChangedValues, FixedValues, NewValues, TableWithId } from "./column_values.ts";
import type { SqlStatement, TableScope } from "./engine.ts";
import { boundKysely, compileStored, compilingKysely } from "./executor.ts";
import { parameterPlaceholders } from "./parameters.ts";
import { isChange, Query, type QueryOptions } from "./query.ts";
import { StatementCache } from "./statement_cache.ts";

/**
 * The tables of a plugin, as returned by `db()` in its setup. Columns are read as bigint (INTEGER), number (REAL),
 * string (TEXT) and Uint8Array (BLOB).
 *
 * @example
 * ```ts
 * const db = setup.db<Tables>();
 * const byId = db.query((q, p: { id: bigint }) => q.selectFrom("plans").selectAll().where("id", "=", p.id));
 * const plan = await byId.first(call, { id });
 * ```
 */
export interface Db<Tables> {
  /** Returns a query builder for statements whose shape depends on the request. They are compiled on every use. */
  (call: Call): Kysely<Tables>;
  /**
   * Compiles a statement once, during setup.
   *
   * @param build receives the query builder, and placeholders for the values of each run; placeholders of lists go into
   *   `anyOf`
   */
  query<Values extends object, Row>(
    build: (builder: Kysely<Tables>, values: Values) => Compilable<Row>,
    options?: QueryOptions,
  ): Query<Values, Row>;
  /**
   * Compiles the insert of a row with these columns. It returns the id of the row.
   *
   * @param also what every run sets in other columns: a constant, or an expression
   */
  insert<Name extends TableWithId<Tables>, const Column extends keyof Tables[Name] & string>(
    table: Name,
    columns: readonly Column[],
    also?: FixedValues<Tables[Name]>,
  ): Query<NewValues<Tables[Name], Column>, { id: bigint }>;
  /** Like `insert`, but inserts and returns nothing if a unique index already contains the values. */
  insertUnique<Name extends TableWithId<Tables>, const Column extends keyof Tables[Name] & string>(
    table: Name,
    columns: readonly Column[],
  ): Query<NewValues<Tables[Name], Column>, { id: bigint }>;
  /**
   * Compiles the change of these columns in the row with an id.
   *
   * @param also what every run sets in other columns: a constant, or an expression such as sql`version + 1`
   */
  update<Name extends TableWithId<Tables>, const Column extends keyof Tables[Name] & string>(
    table: Name,
    columns: readonly Column[],
    also?: FixedValues<Tables[Name]>,
  ): Query<ChangedValues<Tables[Name], Column> & { readonly id: bigint }, unknown>;
  /**
   * Like `update`, but changes nothing if the row is soft-deleted.
   *
   * @param kept more columns that a run sets, unless the value is null, which keeps what is stored
   */
  updateLive<
    Name extends TableWithId<Tables>,
    const Column extends keyof Tables[Name] & string,
    const Kept extends keyof Tables[Name] & string = never,
  >(
    table: Name,
    columns: readonly Column[],
    also?: FixedValues<Tables[Name]>,
    kept?: readonly Kept[],
  ): Query<
    & ChangedValues<Tables[Name], Column>
    & { readonly [Each in Kept]: ChangedValues<Tables[Name], Each>[Each] | null }
    & { readonly id: bigint },
    unknown
  >;
  /** Compiles the insert of a row with these columns, or if a row with the same key exists, its change. */
  put<Name extends keyof Tables & string, const Column extends keyof Tables[Name] & string>(
    table: Name,
    key: readonly NoInfer<Column>[],
    columns: readonly Column[],
  ): Query<NewValues<Tables[Name], Column>, unknown>;
}

/** A query builder for tables and columns whose names are values. */
type AnyTables = Kysely<Record<string, Record<string, unknown> & { id: bigint }>>;

/**
 * Creates the database of the owner of `scope`.
 *
 * @param compiled receives the statements that are compiled
 */
export function database<Tables>(scope: TableScope, compiled?: (statement: SqlStatement) => void): Db<Tables> {
  const statements = new StatementCache(scope);
  const compiling = compilingKysely<Tables>();
  const bound = new WeakMap<KernelCall, Kysely<Tables>>();

  function onCall(call: Call): Kysely<Tables> {
    const kernel = kernelCall(call);
    let builder = bound.get(kernel);
    if (builder === undefined) {
      builder = boundKysely<Tables>(
        statements,
        (statement, values, tree) => {
          const { session, deadline, changes } = kernel;
          const isCaptured = changes !== undefined && isChange(tree) && scope.owner !== "kernel";
          const capture = isCaptured ? captureOf(tree, scope, compileStored) : undefined;
          if (capture === undefined) return session.run(statement, values, deadline);
          return changes!.run(capture, session, statement, values, {}, deadline);
        },
      );
      bound.set(kernel, builder);
    }
    return builder;
  }

  function query<Values extends object, Row>(
    build: (builder: Kysely<Tables>, values: Values) => Compilable<Row>,
    options?: QueryOptions,
  ): Query<Values, Row> {
    const query = new Query<Values, Row>(build(compiling, parameterPlaceholders<Values>()), scope, options);
    compiled?.(query.statement);
    return query;
  }

  const valuesOf = (columns: readonly string[], values: object) => pick(values as Record<string, unknown>, columns);
  const inserting = (q: Kysely<Tables>, table: string, values: object) =>
    (q as unknown as AnyTables).insertInto(table).values(values as never);
  const updating = (q: Kysely<Tables>, table: string, { id }: { id: bigint }, changes: object) =>
    (q as unknown as AnyTables).updateTable(table).set(changes as never).where("id", "=", id);

  return Object.assign(onCall, {
    query,
    insert: (table: string, columns: readonly string[], also: object = {}) =>
      query((q, values) => inserting(q, table, { ...valuesOf(columns, values), ...also }).returning("id")),
    insertUnique: (table: string, columns: readonly string[]) =>
      query((q, values) =>
        inserting(q, table, valuesOf(columns, values)).onConflict((conflict) => conflict.doNothing()).returning("id")
      ),
    update: (table: string, columns: readonly string[], also: object = {}) =>
      query((q, values: { id: bigint }) => updating(q, table, values, { ...valuesOf(columns, values), ...also })),
    updateLive: (table: string, columns: readonly string[], also: object = {}, kept: readonly string[] = []) =>
      query((q, values: { id: bigint }) => {
        const stored = Object.entries(valuesOf(kept, values))
          .map(([column, value]) => [column, sql`coalesce(${value}, ${sql.ref(column)})`]);
        const changes = { ...valuesOf(columns, values), ...Object.fromEntries(stored), ...also };
        return updating(q, table, values, changes).where("state", "=", sql.lit(1n));
      }),
    put: (table: string, key: readonly string[], columns: readonly string[]) =>
      query((q, values) =>
        inserting(q, table, valuesOf(columns, values)).onConflict((conflict) =>
          conflict.columns(key as never[]).doUpdateSet(valuesOf(columns.filter((name) => !key.includes(name)), values))
        )
      ),
  }) as unknown as Db<Tables>;
}
