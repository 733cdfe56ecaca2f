import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Session, SqlResult, SqlStatement, SqlValue, TableScope } from "./engine.ts";
import { toSqlValue } from "./parameters.ts";
import { StatementCache } from "./statement_cache.ts";

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();
const driver: Driver = new DummyDriver();
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  createQueryCompiler: () => compiler,
};

/**
 * Writes the integers of a query into its text. A value that is bound, and decides whether a partial index can be used,
 * makes SQLite prepare the statement anew on every run: `state = 1` must not be `state = ?`.
 */
class ConstantsCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === "bigint" || Number.isSafeInteger(value)) this.append(String(value));
    else super.appendValue(value);
  }
}

const constantsCompiler = new ConstantsCompiler();

/** A builder that compiles, once for all runs, and never runs. */
export function compilingKysely<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...dialect, createQueryCompiler: () => constantsCompiler } });
}

/** Runs one compiled statement where the caller stands. */
export type RunStatement = (statement: SqlStatement, parameters: SqlValue[]) => SqlResult | Promise<SqlResult>;

class SessionConnection implements DatabaseConnection {
  readonly #statements: StatementCache;
  readonly #run: RunStatement;

  constructor(statements: StatementCache, run: RunStatement) {
    this.#statements = statements;
    this.#run = run;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.#run(this.#statements.get(query.sql), query.parameters.map(toSqlValue));
    return { rows: rowObjects<Row>(result), numAffectedRows: result.changes };
  }

  // deno-lint-ignore require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("statements are not streamed: page through the rows instead");
  }
}

/** A Kysely whose statements run where `run` says, under the tables that the cache's scope allows. */
export function boundKysely<Tables>(statements: StatementCache, run: RunStatement): Kysely<Tables> {
  const connection = new SessionConnection(statements, run);
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
}

/** A Kysely on one session, for migrations and the kernel's own upkeep. */
export function sessionKysely<Tables>(session: Session, scope: TableScope): Kysely<Tables> {
  return boundKysely(new StatementCache(scope), (statement, parameters) => session.run(statement, parameters));
}

/** Rows as objects, under the names of their columns. */
export function rowObjects<Row>({ columns, rows }: SqlResult): Row[] {
  const width = columns.length;
  return rows.map((row) => {
    const object: Record<string, SqlValue> = {};
    for (let index = 0; index < width; index++) object[columns[index]!] = row[index]!;
    return object as Row;
  });
}
