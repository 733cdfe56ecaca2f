/** A value as SQL keeps it. An INTEGER is always a bigint and a REAL always a number, in both directions. */
export type SqlValue = null | bigint | number | string | Uint8Array;

/** One row, its values in the order of the result's columns. */
export type SqlRow = readonly SqlValue[];

/**
 * Whose statement it is, and which tables it may touch. The engine checks every statement against its scope when
 * the statement is prepared.
 */
export interface TableScope {
  /** The plugin's name, or `kernel`. */
  readonly owner: string;
  /** The tables that statements may touch; `undefined` allows every table (the kernel's own upkeep). */
  readonly tables: ReadonlySet<string> | undefined;
}

/** A statement to run: the engine prepares it once for each connection and keeps it as long as this object lives. */
export interface SqlStatement {
  readonly sql: string;
  readonly scope: TableScope;
  /** True when no more than the first row is wanted; an engine may answer the others too. */
  readonly firstRow?: boolean;
}

/** What a statement gave. */
export interface SqlResult {
  /** Column names; empty for a statement that returns no rows. */
  readonly columns: readonly string[];
  readonly rows: readonly SqlRow[];
  /** Rows that an INSERT, UPDATE or DELETE without RETURNING changed. */
  readonly changes: bigint;
}

/** A place where statements run: a reader, or one transaction. */
export interface Session {
  /** True inside a write transaction. */
  readonly writable: boolean;
  /**
   * Runs one statement. `parameters` are positional.
   *
   * @param deadline unix milliseconds, when nobody waits for a read any more; a write transaction keeps its own
   */
  run(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    deadline?: number,
  ): SqlResult | Promise<SqlResult>;
  /**
   * Takes a change whose result nobody needs. It runs before the next statement, or before COMMIT; if it fails, the
   * transaction fails. An engine without round trips to save has no use for it.
   */
  defer?(statement: SqlStatement, parameters: readonly SqlValue[]): void;
}

/** The reads of one call. */
export interface ReadSession extends Session {
  /** Says that the call is over. */
  end(): void;
}

/** A session for migrations: schema changes are allowed, and none of it stays unless all of it succeeds. */
export interface MigrationSession extends Session {
  /** The schema's objects as they are now, uncommitted changes included: name -> owning table and SQL text. */
  schema(): Promise<ReadonlyMap<string, { readonly table: string; readonly sql: string }>>;
}

/** A database that the kernel can stand on. The local and the remote engine differ behind this interface only. */
export interface StorageEngine {
  /** Whether other processes may write to the same database. */
  readonly shared: boolean;
  /** Reads what is committed. */
  readonly reader: Session;
  /**
   * Begins the reads of one call that reads and answers, so that what it asks can share round trips; each answer is no
   * older than the call. An engine without round trips to save has no use for it.
   *
   * @param mayBeOlder whether what others wrote may be missing for as long as the installation allows
   */
  beginReads?(mayBeOlder?: boolean): ReadSession;
  /**
   * Runs `work` in a write transaction and resolves once that is durable; rejects with what `work` threw after undoing
   * it. `work` must do no other I/O. Concurrent writes may share one commit, each undone by itself.
   *
   * @param deadline unix milliseconds, when nobody waits for it any more
   */
  write<Result>(work: (session: Session) => Promise<Result>, deadline?: number): Promise<Result>;
  /**
   * Runs a read that no index bounds away from the event loop, and stops it at its deadline.
   *
   * @param deadline unix milliseconds
   */
  scan(statement: SqlStatement, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult>;
  /** Runs `work` alone in one immediate transaction in which the schema may change. */
  migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result>;
  /** How many writes wait for their turn. */
  readonly waiting: number;
  /** Finishes what runs, then lets go of the database. */
  close(): Promise<void>;
}
