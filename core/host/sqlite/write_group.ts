import type { Connection } from "./connection.ts";
import { JobTimeout, type JobTimes } from "./job_timeout.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { unavailable } from "./driver/outage.ts";
import { CommitItems, JobSession, WriteSession } from "./write_session.ts";
import type { Session } from "../../storage/engine.ts";

/** A queued write, with the functions that settle its promise. */
export interface WriteJob {
  readonly work: (session: Session) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const ROLLED_BACK = "the database rolled the transaction back";

/** Jobs that share one transaction. None of them settles before its commit. */
export class WriteGroup {
  readonly #connection: Connection;
  readonly #timeout: JobTimeout;
  readonly #items = new CommitItems();
  readonly #members: { readonly job: WriteJob; readonly settle: () => void }[] = [];

  constructor(connection: Connection, times: JobTimes) {
    this.#connection = connection;
    this.#timeout = new JobTimeout(times);
  }

  get size(): number {
    return this.#members.length;
  }

  begin(): void {
    rollBack(this.#connection);
    this.#connection.exec("begin immediate");
  }

  /** Runs a job in a savepoint of its own. Throws if the whole transaction was rolled back. */
  async run(job: WriteJob): Promise<void> {
    const session = new JobSession(this.#connection, this.#timeout.active);
    try {
      this.#connection.exec("savepoint job");
      const result = await this.#timeout.run(async () => job.work(session));
      session.end();
      if (!this.#connection.inTransaction) throw session.error;
      this.#connection.exec("release job");
      if (session.items !== undefined) this.#items.addAll(session.items);
      this.#members.push({ job, settle: () => job.resolve(result) });
    } catch (error) {
      session.end();
      this.#members.push({ job, settle: () => job.reject(error) });
      if (!this.#connection.inTransaction) throw error;
      this.#connection.exec("rollback to job; release job");
    }
  }

  /** Runs the work that jobs left for the commit. */
  finish(): void {
    this.#timeout.end();
    const session = new WriteSession(this.#connection);
    this.#items.run(session);
    session.end();
  }

  /** Commits the transaction and settles the jobs. */
  commit(): void {
    this.#connection.exec("commit");
    for (const { settle } of this.#members) settle();
  }

  /** Rolls the transaction back and rejects every job. */
  fail(cause: unknown): void {
    this.#timeout.end();
    for (const { job } of this.#members) job.reject(unavailable(ROLLED_BACK, cause));
    rollBack(this.#connection);
  }
}

/** Rolls back the open transaction, if any. An SQLite error is ignored: it recurs when the next transaction begins. */
export function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec("rollback");
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
  }
}
