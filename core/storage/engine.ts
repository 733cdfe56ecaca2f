/** An SQL value. An INTEGER is always a bigint and a REAL always a number, in both directions. */
export type SqlValue = null | bigint | number | string | Uint8Array;

/** The values of one row, in the order of the columns. */
export type SqlRow = readonly SqlValue[];

/** The owner of a statement and the tables that it may access. The engine checks a statement when it prepares it. */
export interface TableScope {
  /** The name of the plugin, or `kernel`. */
  readonly owner: string;
  /** The tables that statements may access; `undefined` allows every table, for maintenance by the kernel. */
  readonly tables: ReadonlySet<string> | undefined;
  /** The maximum number of rows of the tables that stay small, which transactions may visit as a whole. */
  readonly smallTables?: ReadonlyMap<string, number>;
}

/** A statement. An engine prepares it once per connection and caches it for the lifetime of this object. */
export interface SqlStatement {
  readonly sql: string;
  readonly scope: TableScope;
  /** True if only the first row is needed. An engine may return more. */
  readonly firstRow?: boolean;
  /** The reason why a recursive query ends, without which transactions refuse it. */
  readonly recursive?: string;
}

/** The result of a statement. */
export interface SqlResult {
  /** Column names; empty for a statement that returns no rows. */
  readonly columns: readonly string[];
  readonly rows: readonly SqlRow[];
  /** The number of rows that an INSERT, UPDATE or DELETE without RETURNING changed. */
  readonly changes: bigint;
  /** The id of the row that an INSERT without RETURNING added last. Only the local engine knows it. */
  readonly lastId?: bigint;
}

/** Work that runs once in a commit that several write transactions share, with what those left for it. */
export type CommitWork<Item> = (session: Session, items: readonly Item[]) => void;

/** Runs statements, either as a reader or in one transaction. */
export interface Session {
  /** True inside a write transaction. */
  readonly writable: boolean;
  /**
   * Runs one statement.
   *
   * @param parameters positional
   * @param deadline the deadline of a read in unix milliseconds; a write transaction has its own
   */
  run(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    deadline?: number,
  ): SqlResult | Promise<SqlResult>;
  /**
   * Queues a change whose result is not needed. It runs before the next statement or before COMMIT; if it fails, the
   * transaction fails. Only engines with round trips implement it.
   */
  defer?(statement: SqlStatement, parameters: readonly SqlValue[]): void;
  /**
   * Queues a read of a write transaction, which runs together with the next statement if that saves a round trip.
   * Only engines with round trips implement it.
   *
   * @returns the rows; undefined if a statement of the same round trip failed
   */
  ahead?(statement: SqlStatement, parameters: readonly SqlValue[]): Promise<SqlResult | undefined>;
  /** Sends what is queued, for those who wait for reads. */
  flush?(): Promise<void>;
  /**
   * Leaves an item for work that runs before the commit of this transaction and of those that share it. Items of a
   * transaction that is rolled back are dropped; if the work fails, none of the transactions commits. Only engines whose
   * write transactions share commits implement it.
   */
  atCommit?<Item>(work: CommitWork<Item>, item: Item): void;
}

/** The reads of one call. */
export interface ReadSession extends Session {
  /** Declares that the call has ended. */
  end(): void;
}

/** A session in a transaction in which the schema may change. */
export interface MigrationSession extends Session {
  /** Returns the objects of the schema by name, including uncommitted changes: their tables and SQL texts. */
  schema(): Promise<ReadonlyMap<string, { readonly table: string; readonly sql: string }>>;
}

/** The storage of a kernel. The local and the remote engine implement it. */
export interface StorageEngine {
  /** True if other processes may write to the same database. */
  readonly shared: boolean;
  /** Reads committed data. */
  readonly reader: Session;
  /**
   * Begins the reads of one call that only reads, so that they can share round trips. Results are not older than the
   * call. Only engines with round trips implement it.
   *
   * @param mayBeStale true if results may lag behind the writes of other instances, as long as the installation allows
   */
  beginReads?(mayBeStale?: boolean): ReadSession;
  /**
   * Runs `work` in a write transaction and resolves when it is durable. If `work` throws, rolls back and rejects with
   * the same error. `work` must do no other I/O. Concurrent writes may share a commit but are rolled back separately.
   *
   * @param deadline unix milliseconds
   */
  write<Result>(work: (session: Session) => Promise<Result>, deadline?: number): Promise<Result>;
  /**
   * Runs a read without a suitable index outside the event loop, and aborts it at its deadline.
   *
   * @param deadline unix milliseconds
   */
  scan(statement: SqlStatement, parameters: readonly SqlValue[], deadline: number): Promise<SqlResult>;
  /** Runs `work` in one immediate transaction in which the schema may change, rolled back if `work` throws. */
  migrate<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result>;
  /**
   * Returns the errors of the changes that a write transaction would refuse because of the rows that they may visit.
   * Only engines that run statements in this process implement it.
   */
  checkChanges?(statements: Iterable<SqlStatement>): string[];
  /** The number of queued writes. */
  readonly waiting: number;
  /** Says why nothing can be written until the process starts again, if so. */
  readonly unusable?: string | undefined;
  /** Says why the last write failed, if so, for example because the disk is full; reads go on. */
  readonly degraded?: string | undefined;
  /** Waits for running statements, then closes the database. */
  close(): Promise<void>;
}
