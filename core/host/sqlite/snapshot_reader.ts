import { setImmediate } from "node:timers";
import type { Session, SqlResult, SqlStatement, SqlValue } from "../../storage/engine.ts";
import type { Connection } from "./connection.ts";
import type { LongReads } from "./reads/long_reads.ts";

/**
 * Reads committed data. All reads in one turn of the event loop share a read transaction, since locking and unlocking
 * the file takes as long as a read. Every commit ends that transaction, so that later reads see its changes. A read
 * whose work has no proven bound runs outside the event loop.
 */
export class SnapshotReader implements Session {
  readonly writable = false;
  readonly #connection: Connection;
  readonly #longReads: LongReads;
  #isOpen = false;
  #isScheduled = false;

  constructor(connection: Connection, longReads: LongReads) {
    this.#connection = connection;
    this.#longReads = longReads;
  }

  run(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    deadline?: number,
  ): SqlResult | Promise<SqlResult> {
    const long = this.#connection.longRead(statement, parameters);
    if (long !== undefined) return this.#longReads.run(long, deadline);
    if (!this.#isOpen) this.#begin();
    return this.#connection.run(statement, parameters);
  }

  /** Ends the read transaction. Later reads see everything committed until then. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#connection.inTransaction) this.#connection.exec("commit");
  }

  #begin(): void {
    this.#connection.exec("begin");
    this.#isOpen = true;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.end();
    });
  }
}
