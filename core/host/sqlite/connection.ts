import { kernelErrors } from "../../base/errors.ts";
import { bindable } from "../../storage/bind.ts";
import type { SqlResult, SqlRow, SqlStatement, SqlValue } from "../../storage/engine.ts";
import { givesOneRow, type ProgramStep, readProgram } from "../../storage/guard/query_program.ts";
import type { SchemaObject } from "../../storage/guard/schema_map.ts";
import { readSqlText, type SqlText } from "../../storage/guard/sql_text.ts";
import {
  checkTables,
  checkVerb,
  type GuardMode,
  workError,
  workIn,
  worksWithRows,
} from "../../storage/guard/table_guard.ts";
import type { WorkBound } from "../../storage/guard/work_bound.ts";
import Database from "./driver/driver.ts";
import type { LongRead } from "./reads/long_reader.ts";
import { toUnavailable } from "./driver/outage.ts";
import { SchemaCache } from "./schema_cache.ts";

const NOTHING: readonly never[] = [];
/** Statements that begin so change no rows. */
const READS: ReadonlySet<string> = new Set(["select", "values", "explain"]);

/** The used part of the driver's statement. Parameters are passed as one array, which must have been checked. */
interface DriverStatement {
  run(parameters: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(parameters: readonly SqlValue[]): SqlRow | undefined;
  all(parameters: readonly SqlValue[]): SqlRow[];
}

/** The effect of a statement on the schema. */
type SchemaEffect = "none" | "creates" | "changes";

interface Prepared {
  readonly driver: DriverStatement;
  readonly columns: readonly string[];
  readonly parameterCount: number;
  readonly oneRow: boolean;
  readonly effect: SchemaEffect;
  readonly bound: WorkBound;
}

/** A connection to a database file. It prepares and checks each statement once, and checks all bound parameters. */
export class Connection {
  /** The kind of statements that plugins may run on this connection. */
  mode: GuardMode = "rows";
  /** True to refuse statements of plugins whose work has no bound, except in migrations. */
  boundsWork = false;
  readonly #driver: Database.Database;
  #prepared = new WeakMap<SqlStatement, Prepared>();
  readonly #schema = new SchemaCache((sql) => this.query(sql));

  /**
   * @param location a path or a `file:` URL; a missing file is created
   * @param busyTimeout the time in milliseconds to wait for a lock
   */
  constructor(location: string, pragmas: readonly string[], busyTimeout = 1000) {
    this.#driver = new Database(location, { timeout: busyTimeout });
    for (const pragma of pragmas) this.#driver.exec(`pragma ${pragma}`);
  }

  get inTransaction(): boolean {
    return this.#driver.open && this.#driver.inTransaction;
  }

  /** Runs a statement of the kernel, unchecked and without parameters. */
  exec(sql: string): void {
    if (!this.#driver.open) throw kernelErrors.unavailable("the database is closed");
    this.#driver.exec(sql);
    if (sql.startsWith("rollback")) this.#schema.clear();
    else if (this.#schema.hasCreated && !this.inTransaction) this.#schema.clear();
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[]): SqlResult {
    const { driver, columns, parameterCount, oneRow, effect } = this.#prepared.get(statement) ??
      this.#prepare(statement);
    if (parameters.length !== parameterCount) {
      throw parameterCountError(statement.sql, parameterCount, parameters.length);
    }
    const values = bindable(parameters);
    try {
      if (columns.length === 0) {
        const { changes, lastInsertRowid } = driver.run(values);
        if (effect !== "none") this.#schemaChanged(effect);
        return { columns: NOTHING, rows: NOTHING, changes: BigInt(changes), lastId: BigInt(lastInsertRowid) };
      }
      if (!oneRow) return { columns, rows: driver.all(values), changes: 0n };
      const row = driver.get(values);
      return { columns, rows: row === undefined ? NOTHING : [row], changes: 0n };
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  /** Returns a checked read whose work has no proven bound, for another connection to run. A change is bounded. */
  longRead(statement: SqlStatement, parameters: readonly SqlValue[]): LongRead | undefined {
    const { bound, columns } = this.#prepared.get(statement) ?? this.#prepare(statement);
    return bound === "bounded" ? undefined : { statement, columns, values: this.check(statement, parameters), bound };
  }

  /** Throws if the statement changes rows and this connection would refuse it. */
  checkChange(statement: SqlStatement): void {
    const text = readSqlText(statement.sql);
    const isRead = READS.has(text.verb) || text.verb === "with" && !changesRows(this.#program(statement.sql));
    if (!isRead) this.#checkProgram(statement, text);
  }

  /** Checks a statement that another process will run, and returns its parameters in the form to bind. */
  check(statement: SqlStatement, parameters: readonly SqlValue[]): SqlValue[] {
    const { parameterCount } = this.#prepared.get(statement) ?? this.#prepare(statement);
    if (parameters.length !== parameterCount) {
      throw parameterCountError(statement.sql, parameterCount, parameters.length);
    }
    return bindable(parameters);
  }

  /** Runs a query of the kernel, unchecked. Returns integers as numbers. */
  query(sql: string): readonly SqlRow[] {
    const statement = this.#driver.prepare(sql).raw();
    const rows = statement.all([]) as SqlRow[];
    // get() resets the statement. An EXPLAIN would stay in progress after its last row and hold the transaction open.
    statement.get([]);
    return rows;
  }

  schema(): readonly SchemaObject[] {
    return this.#schema.objects;
  }

  /** Drops everything cached that depends on the schema. */
  refresh(): void {
    this.#prepared = new WeakMap();
    this.#schema.clear();
  }

  /** Drops the statements, which must be checked again. The schema that a migration left is still known. */
  forgetStatements(): void {
    this.#prepared = new WeakMap();
  }

  /** Moves the write-ahead log into the database file. The driver's close() leaves that to the garbage collector. */
  checkpoint(): void {
    if (this.inTransaction) this.exec("rollback");
    this.query("pragma wal_checkpoint(truncate)");
  }

  close(): void {
    if (!this.#driver.open) return;
    if (this.inTransaction) this.exec("rollback");
    this.refresh();
    this.#driver.close();
  }

  #prepare(statement: SqlStatement): Prepared {
    if (!this.#driver.open) throw kernelErrors.unavailable("the database is closed");
    const { sql, scope } = statement;
    const text = readSqlText(sql);
    checkVerb(scope, text, this.mode);
    try {
      const { givesOne, bound } = this.#checkProgram(statement, text);
      const driver = this.#driver.prepare(sql).safeIntegers();
      const columns = driver.columns().map((column) => column.name);
      if (columns.length > 0) driver.raw();
      const prepared: Prepared = {
        driver: driver as unknown as DriverStatement,
        columns,
        parameterCount: text.parameterCount,
        oneRow: givesOne || statement.firstRow === true,
        bound,
        effect: worksWithRows(text) || text.verb === "explain"
          ? "none"
          : text.verb === "create"
          ? "creates"
          : "changes",
      };
      this.#prepared.set(statement, prepared);
      return prepared;
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  /** Checks the tables that the statement accesses and, in transactions, how many rows it may visit. */
  #checkProgram(statement: SqlStatement, text: SqlText): { givesOne: boolean; bound: WorkBound } {
    const { sql, scope } = statement;
    if (!worksWithRows(text)) {
      if (scope.tables !== undefined) checkTables(scope, text, this.#program(sql), this.#schema.map);
      return { givesOne: false, bound: "bounded" };
    }
    // Read the schema first: EXPLAIN alone would not detect that it has changed.
    const schema = this.#schema.map;
    const program = this.#program(sql);
    checkTables(scope, text, program, schema);
    const work = workIn(scope, text, program, schema);
    const error = this.boundsWork && this.mode === "rows" ? workError(statement, work) : undefined;
    if (error !== undefined) throw error;
    return { givesOne: givesOneRow(program), bound: changesRows(program) ? "bounded" : work.bound };
  }

  #program(sql: string): readonly ProgramStep[] {
    return readProgram(this.query(`explain ${sql}`));
  }

  #schemaChanged(effect: SchemaEffect): void {
    if (effect === "creates" && this.inTransaction) {
      this.forgetStatements();
      this.#schema.created();
    } else this.refresh();
  }
}

function changesRows(program: readonly ProgramStep[]): boolean {
  return program.some(({ opcode, p2 }) => opcode === "Transaction" && p2 !== 0);
}

function parameterCountError(sql: string, expected: number, got: number): TypeError {
  return new TypeError(`the statement takes ${expected} parameters, got ${got}: ${sql.slice(0, 200)}`);
}
