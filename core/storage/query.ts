import type { Compilable } from "kysely";
import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";
import { kernelCall } from "./kernel_call.ts";
import type { SqlResult, SqlStatement, SqlValue, TableScope } from "./engine.ts";
import { rowObjects } from "./executor.ts";
import { Parameter, toSqlValue } from "./parameters.ts";

/** A statement that was compiled once; only its values come with each run. */
export class Query<Values extends object, Row> {
  readonly #statement: SqlStatement;
  readonly #first: SqlStatement;
  readonly #slots: readonly unknown[];

  constructor(compilable: Compilable<Row>, scope: TableScope) {
    const { sql, parameters } = compilable.compile();
    this.#statement = { sql, scope };
    this.#first = { sql, scope, firstRow: true };
    this.#slots = parameters.map((one) => one instanceof Parameter ? one : toSqlValue(one));
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

  /** Every row. */
  async all(call: Call, values: Values): Promise<Row[]> {
    const result = this.#run(call, values);
    return rowObjects<Row>(result instanceof Promise ? await result : result);
  }

  /** The first row, or undefined when there is none. */
  async first(call: Call, values: Values): Promise<Row | undefined> {
    const result = this.#run(call, values, this.#first);
    return rowObjects<Row>(result instanceof Promise ? await result : result)[0];
  }

  /**
   * The first row.
   *
   * @throws what `missing` makes when there is none
   */
  async require(call: Call, values: Values, missing: () => RpcError): Promise<Row> {
    const row = await this.first(call, values);
    if (row === undefined) throw missing();
    return row;
  }

  /** The first row of a statement that always gives one, such as a count. */
  async one(call: Call, values: Values): Promise<Row> {
    const row = await this.first(call, values);
    if (row === undefined) throw new Error(`no row from: ${this.#statement.sql}`);
    return row;
  }

  /** Runs a change and answers how many rows it touched. */
  async run(call: Call, values: Values): Promise<bigint> {
    const result = this.#run(call, values);
    return (result instanceof Promise ? await result : result).changes;
  }

  /**
   * Runs a change whose result is not needed, within the call's transaction: at once, or together with a later
   * statement where that saves a round trip. If it fails, the transaction fails.
   */
  async defer(call: Call, values: Values): Promise<void> {
    const { session } = kernelCall(call);
    if (session.defer === undefined) await session.run(this.#statement, this.#bind(values));
    else session.defer(this.#statement, this.#bind(values));
  }

  /** Runs a read that no index bounds away from the event loop; it is stopped at the call's deadline. */
  async scan(call: Call, values: Values): Promise<Row[]> {
    const { engine, deadline } = kernelCall(call);
    return rowObjects<Row>(await engine.scan(this.#statement, this.#bind(values), deadline));
  }
}
