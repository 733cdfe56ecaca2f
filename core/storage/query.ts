import type { Compilable } from "kysely";
import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";
import { LazyCapture, type StatementTree } from "./change_capture.ts";
import { kernelCall } from "./kernel_call.ts";
import type { SqlResult, SqlStatement, SqlValue, TableScope } from "./engine.ts";
import { compileStored, rowObjects } from "./executor.ts";
import { Parameter, toSqlValue } from "./parameters.ts";

/** The options of {@link Db.query}. */
export interface QueryOptions {
  /**
   * The reason why a recursive query ends, such as `folders have at most 8 levels`. Without it, transactions refuse the
   * query.
   */
  readonly recursive?: string;
}

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
  readonly #capture: LazyCapture | undefined;

  constructor(compilable: Compilable<Row>, scope: TableScope, options: QueryOptions = {}) {
    const { sql, parameters, query } = compilable.compile();
    if (isChange(query) && scope.owner !== "kernel") this.#capture = new LazyCapture(query, scope, compileStored);
    this.#statement = { sql, scope, ...options };
    this.#first = { ...this.#statement, firstRow: true };
    this.#slots = parameters.map((parameter) => parameter instanceof Parameter ? parameter : toSqlValue(parameter));
  }

  /** The statement, for the checks at the start. */
  get statement(): SqlStatement {
    return this.#statement;
  }

  #bind(values: Values): SqlValue[] {
    return this.#slots.map((slot) => {
      if (!(slot instanceof Parameter)) return slot as SqlValue;
      return toSqlValue((values as Record<string, unknown>)[slot.name]);
    });
  }

  #run(call: Call, values: Values, statement = this.#statement): SqlResult | Promise<SqlResult> {
    const { session, deadline, changes } = kernelCall(call);
    const capture = changes && this.#capture?.get();
    if (capture === undefined) return session.run(statement, this.#bind(values), deadline);
    return changes!.run(capture, session, statement, this.#bind(values), values, deadline);
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
    const { session, changes } = kernelCall(call);
    const capture = changes && this.#capture?.get();
    if (session.defer === undefined) await this.#run(call, values);
    else if (capture === undefined) session.defer(this.#statement, this.#bind(values));
    else changes!.defer(capture, session, this.#statement, this.#bind(values), values);
  }

  /** Runs a read without a suitable index outside the event loop, and aborts it at the deadline of the call. */
  async scan(call: Call, values: Values): Promise<Row[]> {
    const { engine, deadline } = kernelCall(call);
    return rowObjects<Row>(await engine.scan(this.#statement, this.#bind(values), deadline));
  }
}

/** Returns true if a statement changes rows. */
export function isChange({ kind }: StatementTree): boolean {
  return kind === "InsertQueryNode" || kind === "UpdateQueryNode" || kind === "DeleteQueryNode";
}
