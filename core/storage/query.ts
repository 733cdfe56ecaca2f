import type { Compilable } from "kysely";
import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";
import { kernelCall } from "./kernel_call.ts";
import type { SqlResult, SqlStatement, SqlValue, TableScope } from "./engine.ts";
import { rowObjects } from "./executor.ts";
import { Parameter, toSqlValue } from "./parameters.ts";

/**
 * A compiled statement, as returned by {@link Db.query}. Each run supplies its values.
 *
 * @example
 * ```ts
 * import type { Query } from "edgehelm/storage";
 *
 * const byUser: Query<{ userId: bigint }, Plan> = db.query((q, p: { userId: bigint }) =>
 *   q.selectFrom("plans").selectAll().where("userId", "=", p.userId)
 * );
 * const plans = await byUser.all(call, { userId: 7n });
 * ```
 */
export class Query<Values extends object, Row> {
  readonly #statement: SqlStatement;
  readonly #first: SqlStatement;
  readonly #slots: readonly unknown[];

  constructor(compilable: Compilable<Row>, scope: TableScope) {
    const { sql, parameters } = compilable.compile();
    this.#statement = { sql, scope };
    this.#first = { sql, scope, firstRow: true };
    this.#slots = parameters.map((parameter) => parameter instanceof Parameter ? parameter : toSqlValue(parameter));
  }

  #bind(values: Values): SqlValue[] {
    return this.#slots.map((slot) => {
      if (!(slot instanceof Parameter)) return slot as SqlValue;
      return toSqlValue((values as Record<string, unknown>)[slot.name]);
    });
  }

  #run(call: Call, values: Values, statement = this.#statement): SqlResult | Promise<SqlResult> {
    const { session, deadline } = kernelCall(call);
    return session.run(statement, this.#bind(values), deadline);
  }

  /** Returns all rows. */
  async all(call: Call, values: Values): Promise<Row[]> {
    const result = this.#run(call, values);
    return rowObjects<Row>(result instanceof Promise ? await result : result);
  }

  /** Returns the first row, or undefined if there is none. */
  async first(call: Call, values: Values): Promise<Row | undefined> {
    const result = this.#run(call, values, this.#first);
    return rowObjects<Row>(result instanceof Promise ? await result : result)[0];
  }

  /**
   * Returns the first row.
   *
   * @throws the error that `missing` returns, if there is no row
   */
  async require(call: Call, values: Values, missing: () => RpcError): Promise<Row> {
    const row = await this.first(call, values);
    if (row === undefined) throw missing();
    return row;
  }

  /** Returns the first row of a statement that always returns one, such as a count. */
  async one(call: Call, values: Values): Promise<Row> {
    const row = await this.first(call, values);
    if (row === undefined) throw new Error(`the statement returned no row: ${this.#statement.sql}`);
    return row;
  }

  /** Runs a change. Returns the number of changed rows. */
  async run(call: Call, values: Values): Promise<bigint> {
    const result = this.#run(call, values);
    return (result instanceof Promise ? await result : result).changes;
  }

  /**
   * Runs a change whose result is not needed, in the transaction of the call: immediately, or together with a later
   * statement if that saves a round trip. If it fails, the transaction fails.
   */
  async defer(call: Call, values: Values): Promise<void> {
    const { session } = kernelCall(call);
    if (session.defer === undefined) await session.run(this.#statement, this.#bind(values));
    else session.defer(this.#statement, this.#bind(values));
  }

  /** Runs a read without a suitable index outside the event loop, and aborts it at the deadline of the call. */
  async scan(call: Call, values: Values): Promise<Row[]> {
    const { engine, deadline } = kernelCall(call);
    return rowObjects<Row>(await engine.scan(this.#statement, this.#bind(values), deadline));
  }
}
