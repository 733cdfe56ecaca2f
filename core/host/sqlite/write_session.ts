import type { CommitWork, MigrationSession, Session, SqlResult, SqlStatement, SqlValue } from "../../storage/engine.ts";
import { type SchemaObjects, schemaObjects } from "../../storage/guard/schema_map.ts";
import type { Connection } from "./connection.ts";

/** The session of one write job. It ends with the job, or when SQLite rolls the transaction back by itself. */
export class WriteSession implements Session {
  readonly writable = true;
  readonly #connection: Connection;
  readonly #onStatement: () => void;
  #open = true;
  #error: unknown;

  /** @param onStatement called after each statement */
  constructor(connection: Connection, onStatement: () => void = () => {}) {
    this.#connection = connection;
    this.#onStatement = onStatement;
  }

  /** The error with which SQLite rolled the transaction back. */
  get error(): unknown {
    return this.#error;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[]): SqlResult {
    this.requireOpen();
    try {
      return this.#connection.run(statement, parameters);
    } catch (error) {
      // Without a transaction, SQLite would commit each further statement of the job by itself.
      if (!this.#connection.inTransaction) {
        this.#error = error;
        this.end();
      }
      throw error;
    } finally {
      this.#onStatement();
    }
  }

  end(): void {
    this.#open = false;
  }

  protected requireOpen(): void {
    if (!this.#open) throw new Error("the write transaction of this session has ended");
  }
}

/** The items that transactions left for work in their common commit. */
export class CommitItems {
  readonly #items = new Map<CommitWork<never>, unknown[]>();

  add(work: CommitWork<never>, item: unknown): void {
    const items = this.#items.get(work);
    if (items === undefined) this.#items.set(work, [item]);
    else items.push(item);
  }

  /** Takes over the items of a transaction. */
  addAll(others: CommitItems): void {
    for (const [work, items] of others.#items) for (const item of items) this.add(work, item);
  }

  run(session: Session): void {
    for (const [work, items] of this.#items) work(session, items as never[]);
  }
}

/** The session of a job that shares its commit with others. */
export class JobSession extends WriteSession {
  #items: CommitItems | undefined;

  /** The items that the job left for the commit, if any. */
  get items(): CommitItems | undefined {
    return this.#items;
  }

  atCommit<Item>(work: CommitWork<Item>, item: Item): void {
    this.requireOpen();
    (this.#items ??= new CommitItems()).add(work as CommitWork<never>, item);
  }
}

/** The session of a migration. */
export class LocalMigrationSession extends WriteSession implements MigrationSession {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    super(connection);
    this.#connection = connection;
  }

  async schema(): Promise<SchemaObjects> {
    this.requireOpen();
    return schemaObjects(this.#connection.schema());
  }
}
