import type { InStatement, ResultSet } from "@libsql/client/web";
import { sqliteCode } from "../constraint.ts";
import type { SqlStatement } from "../engine.ts";
import { type ProgramStep, readProgram } from "../query_program.ts";
import { SchemaMap, type SchemaObject } from "../schema_map.ts";
import { SqlError } from "../sql_error.ts";
import { readSqlText, type SqlText } from "../sql_text.ts";
import { checkTables, checkVerb, worksWithRows } from "../table_guard.ts";
import { rowsOf } from "./values.ts";

const VERSION = "pragma schema_version";
const SCHEMA = "select type, name, tbl_name, coalesce(rootpage, 0), coalesce(sql, '') from sqlite_master";
/** How the kernel's own statements begin that only read; nobody checks them further. */
const READ_VERBS = /^(?:select|values|pragma|explain)$/;

/** Sends statements in one round trip that see one state of the database. */
export type Send = (statements: InStatement[]) => Promise<ResultSet[]>;

/** What is known of a statement that was checked. */
export interface Checked {
  readonly parameterCount: number;
  readonly writes: boolean;
}

/** Checks each statement against its scope once: by EXPLAIN, since the server has no authorizer. */
export class RemoteGuard {
  readonly #send: Send;
  readonly #background: (work: Promise<unknown>) => void;
  readonly #schemaTime: number;
  #checked = new WeakMap<SqlStatement, Checked>();
  #schema: { readonly version: bigint; readonly map: SchemaMap } | undefined;
  #lookedAt = performance.now();

  /**
   * @param schemaTime milliseconds after which somebody else may have changed the schema unnoticed
   * @param background told of what nobody waits for
   */
  constructor(send: Send, schemaTime: number, background: (work: Promise<unknown>) => void) {
    this.#send = send;
    this.#schemaTime = schemaTime;
    this.#background = background;
  }

  /** @throws TableGuardError, or what the database says of a statement that makes no sense */
  check(statement: SqlStatement): Checked | Promise<Checked> {
    if (performance.now() - this.#lookedAt > this.#schemaTime) this.#lookAgain();
    return this.#checked.get(statement) ?? this.#checkFirst(statement);
  }

  /** Forgets what depends on the schema. */
  refresh(): void {
    this.#checked = new WeakMap();
    this.#schema = undefined;
  }

  async #checkFirst(statement: SqlStatement): Promise<Checked> {
    const text = readSqlText(statement.sql);
    checkVerb(statement.scope, text, "rows");
    const onlyReads = READ_VERBS.test(text.verb);
    const needsNoLook = !worksWithRows(text) || (statement.scope.tables === undefined && onlyReads);
    if (needsNoLook) return { parameterCount: text.parameterCount, writes: !onlyReads };
    const explain = `explain ${statement.sql}`;
    let [version, program, schema] = await this.#send([VERSION, explain, ...(this.#schema ? [] : [SCHEMA])]);
    if (this.#schema !== undefined && this.#schema.version !== versionIn(version)) {
      this.refresh();
      [version, program, schema] = await this.#send([VERSION, explain, SCHEMA]);
    }
    if (schema !== undefined) this.#schema = { version: versionIn(version), map: schemaMap(schema) };
    const steps = readProgram(rowsOf(program));
    checkTables(statement.scope, text, steps, this.#schema!.map);
    const checked = { parameterCount: text.parameterCount, writes: steps.some(opensForWriting) };
    this.#checked.set(statement, checked);
    return checked;
  }

  /** Tells a primary key from other unique ones, as SQLite does: the server's answer does not. */
  async exactError(error: Error): Promise<Error> {
    if (sqliteCode(error) !== "SQLITE_CONSTRAINT_UNIQUE") return error;
    const columns = [...error.message.matchAll(/(?<table>\w+)\.(?<column>\w+)(?:, |$)/g)].map(({ groups }) => groups!);
    const sql = "select name from pragma_table_info(?) where pk > 0";
    const [key] = await this.#send([{ sql, args: [columns[0]?.["table"] ?? ""] }]);
    const names = rowsOf(key).map(([name]) => name);
    const isKey = names.length === columns.length && columns.every(({ column }) => names.includes(column!));
    return isKey ? new SqlError("SQLITE_CONSTRAINT_PRIMARYKEY", error.message, { cause: error.cause }) : error;
  }

  /** Another instance, of another release, may have migrated. */
  #lookAgain(): void {
    this.#lookedAt = performance.now();
    this.#background(
      this.#send([VERSION]).then(([version]) => {
        if (this.#schema !== undefined && this.#schema.version !== versionIn(version)) this.refresh();
      }, () => undefined),
    );
  }
}

/** Checks a statement of a migration, whose schema only its transaction sees. */
export async function checkMigrating({ sql, scope }: SqlStatement, send: Send): Promise<number> {
  const text: SqlText = readSqlText(sql);
  checkVerb(scope, text, "migration");
  if (scope.tables !== undefined) {
    const [program, schema] = await send([`explain ${sql}`, SCHEMA]);
    checkTables(scope, text, readProgram(rowsOf(program)), schemaMap(schema));
  }
  return text.parameterCount;
}

/** The schema's objects as a transaction sees them. */
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
