import type { Connection } from "./connection.ts";
import { JobLimit } from "./job_limit.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { unavailable } from "./outage.ts";
import { WriteSession } from "./write_session.ts";
import type { Session } from "../../storage/engine.ts";

/** A write that waits for its turn, and the two ends of the promise that its caller holds. */
export interface WriteJob {
  readonly work: (session: Session) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const ROLLED_BACK = "the database rolled the transaction back";

/** Jobs that share one transaction and one commit. Nothing settles before that. */
export class WriteGroup {
  readonly #connection: Connection;
  readonly #limit: JobLimit;
  readonly #members: { readonly job: WriteJob; readonly settle: () => void }[] = [];

  constructor(connection: Connection, jobMilliseconds: number) {
    this.#connection = connection;
    this.#limit = new JobLimit(jobMilliseconds);
  }

  get size(): number {
    return this.#members.length;
  }

  begin(): void {
    rollBack(this.#connection);
    this.#connection.exec("begin immediate");
  }

  /** Runs a job in its savepoint. Throws if the transaction is lost for everyone. */
  async run(job: WriteJob): Promise<void> {
    const session = new WriteSession(this.#connection);
    try {
      this.#connection.exec("savepoint job");
      const result = await this.#limit.run(async () => job.work(session));
      session.end();
      if (!this.#connection.inTransaction) throw session.failure;
      this.#connection.exec("release job");
      this.#members.push({ job, settle: () => job.resolve(result) });
    } catch (error) {
      session.end();
      this.#members.push({ job, settle: () => job.reject(error) });
      if (!this.#connection.inTransaction) throw error;
      this.#connection.exec("rollback to job; release job");
    }
  }

  /** Makes the group durable and settles its members. */
  commit(): void {
    this.#limit.end();
    this.#connection.exec("commit");
    for (const { settle } of this.#members) settle();
  }

  /** Gives the transaction up and tells every member. */
  fail(cause: unknown): void {
    this.#limit.end();
    for (const { job } of this.#members) job.reject(unavailable(ROLLED_BACK, cause));
    rollBack(this.#connection);
  }
}

/** Ends the open transaction, if there is one. What fails here shows again when the next one begins. */
export function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec("rollback");
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
  }
}
