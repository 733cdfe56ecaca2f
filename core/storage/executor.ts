import {
  type CompiledQuery,
  createQueryId,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
} from "kysely";
import type { Session, SqlResult, SqlStatement, SqlValue, TableScope } from "./engine.ts";
import { MigrationTables } from "./migration_tables.ts";
import { toSqlValue } from "./parameters.ts";
import { StatementCache } from "./statement_cache.ts";

const compiler = new SqliteQueryCompiler();
const adapter = new SqliteAdapter();
const driver: Driver = new DummyDriver();
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db: Kysely<unknown>) => new MigrationTables(db),
  createQueryCompiler: () => compiler,
};

/**
 * Writes constant integers into the text of a statement: `state = 1` instead of `state = ?`. SQLite would prepare the
 * statement again for every run if a bound value decided on the use of a partial index.
 */
class ConstantsCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (typeof value === "bigint" || Number.isSafeInteger(value)) this.append(String(value));
    else super.appendValue(value);
  }
}

const constantsCompiler = new ConstantsCompiler();

/** Creates a query builder that only compiles. */
export function compilingKysely<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...dialect, createQueryCompiler: () => constantsCompiler } });
}

/** Compiles a syntax tree whose constants stay in its text, as those of {@link compilingKysely} do. */
export function compileStored(tree: CompiledQuery["query"]): CompiledQuery {
  return constantsCompiler.compileQuery(tree, createQueryId());
}

/** Runs one compiled statement, with its syntax tree, in the session of the caller. */
export type RunStatement = (
  statement: SqlStatement,
  parameters: SqlValue[],
  tree: CompiledQuery["query"],
) => SqlResult | Promise<SqlResult>;

class SessionConnection implements DatabaseConnection {
  readonly #statements: StatementCache;
  readonly #run: RunStatement;

  constructor(statements: StatementCache, run: RunStatement) {
    this.#statements = statements;
    this.#run = run;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.#run(this.#statements.get(query.sql), query.parameters.map(toSqlValue), query.query);
    return { rows: rowObjects<Row>(result), numAffectedRows: result.changes };
  }

  // deno-lint-ignore require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("streaming is not supported: read the rows in pages instead");
  }
}

/** Creates a query builder that executes its statements with `run`, in the scope of the cache. */
export function boundKysely<Tables>(statements: StatementCache, run: RunStatement): Kysely<Tables> {
  const connection = new SessionConnection(statements, run);
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor });
}

/** Creates a query builder on one session, for migrations and maintenance by the kernel. */
export function sessionKysely<Tables>(session: Session, scope: TableScope): Kysely<Tables> {
  return boundKysely(new StatementCache(scope), (statement, parameters) => session.run(statement, parameters));
}

/** Converts rows to objects keyed by column names. */
export function rowObjects<Row>({ columns, rows }: SqlResult): Row[] {
  const width = columns.length;
  return rows.map((row) => {
    const object: Record<string, SqlValue> = {};
    for (let index = 0; index < width; index++) object[columns[index]!] = row[index]!;
    return object as Row;
  });
}
