import type { InStatement, ResultSet } from "@libsql/client/web";
import { sqliteCode } from "../constraint.ts";
import type { SqlStatement } from "../engine.ts";
import { type ProgramStep, readProgram } from "../guard/query_program.ts";
import { SchemaMap, type SchemaObject } from "../guard/schema_map.ts";
import { SqlError } from "../sql_error.ts";
import { readSqlText, type SqlText } from "../guard/sql_text.ts";
import {
  checkTables,
  checkVerb,
  type TableGuardError,
  workError,
  workIn,
  worksWithRows,
} from "../guard/table_guard.ts";
import { rowsOf } from "./values.ts";

const VERSION = "pragma schema_version";
const SCHEMA = "select type, name, tbl_name, coalesce(rootpage, 0), coalesce(sql, '') from sqlite_master";
/** Matches the first word of statements of the kernel that only read, which need no further check. */
const READ_VERBS = /^(?:select|values|pragma|explain)$/;

/** Runs statements in one round trip, on one state of the database. */
export type Send = (statements: InStatement[]) => Promise<ResultSet[]>;

/** The properties of a checked statement. */
export interface CheckedStatement {
  readonly parameterCount: number;
  readonly writes: boolean;
  /** The error with which write transactions refuse it. */
  readonly refusal?: TableGuardError | undefined;
}

/** Checks each statement against its scope once, with EXPLAIN, because the server has no authorizer. */
export class RemoteGuard {
  readonly #send: Send;
  readonly #background: (work: Promise<unknown>) => void;
  readonly #schemaTime: number;
  #checked = new WeakMap<SqlStatement, CheckedStatement>();
  #schema: { readonly version: bigint; readonly map: SchemaMap } | undefined;
  #schemaCheckedAt = performance.now();

  /**
   * @param schemaTime the milliseconds after which the schema is checked for changes by another instance
   * @param background called with work that no call waits for
   */
  constructor(send: Send, schemaTime: number, background: (work: Promise<unknown>) => void) {
    this.#send = send;
    this.#schemaTime = schemaTime;
    this.#background = background;
  }

  /** @throws TableGuardError, or the error of the database for an invalid statement */
  check(statement: SqlStatement): CheckedStatement | Promise<CheckedStatement> {
    if (performance.now() - this.#schemaCheckedAt > this.#schemaTime) this.#checkSchema();
    return this.#checked.get(statement) ?? this.#checkFirst(statement);
  }

  /** Discards everything that depends on the schema. */
  refresh(): void {
    this.#checked = new WeakMap();
    this.#schema = undefined;
  }

  async #checkFirst(statement: SqlStatement): Promise<CheckedStatement> {
    const text = readSqlText(statement.sql);
    checkVerb(statement.scope, text, "rows");
    const onlyReads = READ_VERBS.test(text.verb);
    const needsNoExplain = !worksWithRows(text) || (statement.scope.tables === undefined && onlyReads);
    if (needsNoExplain) return { parameterCount: text.parameterCount, writes: !onlyReads };
    const explain = `explain ${statement.sql}`;
    let [version, program, schema] = await this.#send([VERSION, explain, ...(this.#schema ? [] : [SCHEMA])]);
    if (this.#schema !== undefined && this.#schema.version !== versionIn(version)) {
      this.refresh();
      [version, program, schema] = await this.#send([VERSION, explain, SCHEMA]);
    }
    if (schema !== undefined) this.#schema = { version: versionIn(version), map: schemaMap(schema) };
    const steps = readProgram(rowsOf(program));
    checkTables(statement.scope, text, steps, this.#schema!.map);
    const checked = {
      parameterCount: text.parameterCount,
      writes: steps.some(opensForWriting),
      refusal: workError(statement, workIn(statement.scope, text, steps, this.#schema!.map)),
    };
    this.#checked.set(statement, checked);
    return checked;
  }

  /** Distinguishes the violation of a primary key from other unique constraints, which the server does not. */
  async exactError(error: Error): Promise<Error> {
    if (sqliteCode(error) !== "SQLITE_CONSTRAINT_UNIQUE") return error;
    const columns = [...error.message.matchAll(/\b(?<table>\w+)\.(?<column>\w+)(?:, |$)/g)].map(({ groups }) =>
      groups!
    );
    const sql = "select name from pragma_table_info(?) where pk > 0";
    const [key] = await this.#send([{ sql, args: [columns[0]?.["table"] ?? ""] }]);
    const names = rowsOf(key).map(([name]) => name);
    const isKey = names.length === columns.length && columns.every(({ column }) => names.includes(column!));
    return isKey ? new SqlError("SQLITE_CONSTRAINT_PRIMARYKEY", error.message, { cause: error.cause }) : error;
  }

  /** Checks in the background whether another instance of another release has migrated the database. */
  #checkSchema(): void {
    this.#schemaCheckedAt = performance.now();
    this.#background(
      this.#send([VERSION]).then(([version]) => {
        if (this.#schema !== undefined && this.#schema.version !== versionIn(version)) this.refresh();
      }, () => undefined),
    );
  }
}

/** Checks a statement of a migration, whose uncommitted schema only its transaction sees. */
export async function checkMigrating({ sql, scope }: SqlStatement, send: Send): Promise<number> {
  const text: SqlText = readSqlText(sql);
  checkVerb(scope, text, "migration");
  if (scope.tables !== undefined) {
    const [program, schema] = await send([`explain ${sql}`, SCHEMA]);
    checkTables(scope, text, readProgram(rowsOf(program)), schemaMap(schema));
  }
  return text.parameterCount;
}

/** Reads the objects of the schema as a transaction sees them. */
export async function readSchema(send: Send): Promise<SchemaObject[]> {
  const [schema] = await send([SCHEMA]);
  return schemaIn(schema);
}

function schemaMap(schema: ResultSet | undefined): SchemaMap {
  return new SchemaMap(schemaIn(schema));
}

function schemaIn(schema: ResultSet | undefined): SchemaObject[] {
  return rowsOf(schema).map(([type, name, table, rootPage, sql]) => ({
    type: String(type),
    name: String(name),
    table: String(table),
    rootPage: Number(rootPage),
    sql: String(sql),
  }));
}

function versionIn(result: ResultSet | undefined): bigint {
  return rowsOf(result)[0]?.[0] as bigint;
}

function opensForWriting({ opcode, p2 }: ProgramStep): boolean {
  return opcode === "Transaction" && p2 !== 0;
}
