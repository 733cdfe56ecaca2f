import type { Compilable, Kysely } from "kysely";
import type { Call } from "../base/call.ts";
import { type KernelCall, kernelCall } from "./kernel_call.ts";
import type { TableScope } from "./engine.ts";
import { boundKysely, compilingKysely } from "./executor.ts";
import { parameterMarkers } from "./parameters.ts";
import { Query } from "./query.ts";
import { StatementCache } from "./statement_cache.ts";

/**
 * A plugin's own tables. INTEGER columns are bigint, REAL ones number, TEXT string, BLOB Uint8Array.
 *
 * @example
 * ```ts
 * const byId = db.query((q, p: { id: bigint }) => q.selectFrom("plans").selectAll().where("id", "=", p.id));
 * const plan = await byId.first(call, { id });
 * ```
 */
export interface Db<Tables> {
  /** A builder for statements whose shape depends on the request; compiled on every use. */
  (call: Call): Kysely<Tables>;
  /**
   * Compiles a statement once, when the plugin is set up.
   *
   * @param build gets the builder, and an object typed as the values that come with each run; use its members as
   *   values, lists inside `anyOf`
   */
  query<Values extends object, Row>(
    build: (builder: Kysely<Tables>, values: Values) => Compilable<Row>,
  ): Query<Values, Row>;
}

/** The database as the owner of `scope` may see it. */
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
      new Query<Values, Row>(build(compiling, parameterMarkers<Values>()), scope),
  });
}
