import type { MigrationSession, Session, SqlResult, SqlStatement, SqlValue } from "../../storage/engine.ts";
import { type SchemaObjects, schemaObjects } from "../../storage/schema_map.ts";
import type { Connection } from "./connection.ts";

/** The session of one job. It ends with the job, and with the transaction if SQLite ends that by itself. */
export class WriteSession implements Session {
  readonly writable = true;
  readonly #connection: Connection;
  #open = true;
  #failure: unknown;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** What ended the transaction under the session. */
  get failure(): unknown {
    return this.#failure;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[]): SqlResult {
    this.requireOpen();
    try {
      return this.#connection.run(statement, parameters);
    } catch (error) {
      // what would follow in this job would be committed statement by statement
      if (!this.#connection.inTransaction) {
        this.#failure = error;
        this.end();
      }
      throw error;
    }
  }

  end(): void {
    this.#open = false;
  }

  protected requireOpen(): void {
    if (!this.#open) throw new Error("the write transaction of this session has ended");
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
