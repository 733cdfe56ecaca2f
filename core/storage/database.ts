import type { Compilable, Kysely } from "kysely";
import type { Call } from "../base/call.ts";
import { type KernelCall, kernelCall } from "./kernel_call.ts";
import type { TableScope } from "./engine.ts";
import { boundKysely, compilingKysely } from "./executor.ts";
import { parameterPlaceholders } from "./parameters.ts";
import { Query } from "./query.ts";
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
  ): Query<Values, Row>;
}

/** Creates the database of the owner of `scope`. */
export function database<Tables>(scope: TableScope): Db<Tables> {
  const statements = new StatementCache(scope);
  const compiling = compilingKysely<Tables>();
  const bound = new WeakMap<KernelCall, Kysely<Tables>>();

  function onCall(call: Call): Kysely<Tables> {
    const kernel = kernelCall(call);
    let builder = bound.get(kernel);
    if (builder === undefined) {
      builder = boundKysely<Tables>(
        statements,
        (statement, values) => kernel.session.run(statement, values, kernel.deadline),
      );
      bound.set(kernel, builder);
    }
    return builder;
  }

  return Object.assign(onCall, {
    query: <Values extends object, Row>(build: (builder: Kysely<Tables>, values: Values) => Compilable<Row>) =>
      new Query<Values, Row>(build(compiling, parameterPlaceholders<Values>()), scope),
  });
}
