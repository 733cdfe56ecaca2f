import { setImmediate } from "node:timers";
import type { Session, SqlResult, SqlStatement, SqlValue } from "../../storage/engine.ts";
import type { Connection } from "./connection.ts";

/**
 * Reads what is committed. All reads of one turn of the event loop share a read transaction, since to lock and unlock
 * the file for each costs as much as the read. Whoever commits ends it, so that nobody reads what was before.
 */
export class SnapshotReader implements Session {
  readonly writable = false;
  readonly #connection: Connection;
  #isOpen = false;
  #isScheduled = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  run(statement: SqlStatement, parameters: readonly SqlValue[]): SqlResult {
    if (!this.#isOpen) this.#begin();
    return this.#connection.run(statement, parameters);
  }

  /** What is read from now on is what is committed now. */
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
