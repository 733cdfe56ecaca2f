import { setImmediate } from "node:timers";
import { kernelErrors } from "../../base/errors.ts";
import type { MigrationSession, Session } from "../../storage/engine.ts";
import type { Connection } from "./connection.ts";
import { toUnavailable, unavailable } from "./driver/outage.ts";
import { rollBack, WriteGroup, type WriteJob } from "./write_group.ts";
import { LocalMigrationSession } from "./write_session.ts";

/** The limits of a group of writes and of a single job. */
export interface WriterLimits {
  /** The maximum number of jobs in a group. With 1, each write has its own commit. */
  readonly groupJobs: number;
  /** The time in milliseconds after which a group accepts no further job. */
  readonly groupTime: number;
  /** The time in milliseconds after which an unfinished job is rolled back. */
  readonly jobTime: number;
  /** The time in milliseconds without a statement after which an unfinished job is rolled back. */
  readonly idleTime: number;
}

export const WRITER_LIMITS: WriterLimits = { groupJobs: 256, groupTime: 20, jobTime: 5000, idleTime: 1000 };

interface QueuedJob extends WriteJob {
  /** Set for a migration, which has a transaction of its own. */
  readonly migration?: (session: MigrationSession) => Promise<unknown>;
  /** Set for maintenance, which runs between transactions. */
  readonly maintenance?: () => void;
}

/** Called synchronously around every commit. */
export interface CommitHooks {
  /** Prevents the commit by throwing. */
  beforeCommit(): void;
  afterCommit(): void;
  /** Called when a transaction could not begin or was not committed. */
  failed(error: unknown): void;
}

const NO_HOOKS: CommitHooks = { beforeCommit() {}, afterCommit() {}, failed() {} };

/** The only writer of the database. It queues jobs, and groups of them share a commit. */
export class Writer {
  readonly #connection: Connection;
  readonly #limits: WriterLimits;
  readonly #hooks: CommitHooks;
  #waiting: QueuedJob[] = [];
  #draining = false;
  #closing = false;
  #whenIdle: () => void = () => {};
  #commits = 0;
  #jobs = 0;

  constructor(connection: Connection, limits: WriterLimits = WRITER_LIMITS, hooks: CommitHooks = NO_HOOKS) {
    this.#connection = connection;
    this.#limits = limits;
    this.#hooks = hooks;
  }

  /** The number of commits so far. */
  get commits(): number {
    return this.#commits;
  }

  /** The number of jobs in those commits, including jobs that were rolled back. */
  get jobs(): number {
    return this.#jobs;
  }

  /** The number of queued jobs. */
  get waiting(): number {
    return this.#waiting.length;
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ work, resolve: resolve as WriteJob["resolve"], reject });
    });
  }

  migrate<Result>(migration: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ migration, work: async () => {}, resolve: resolve as WriteJob["resolve"], reject });
    });
  }

  /** Runs `work` on the connection while no transaction is open. */
  maintain(work: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ maintenance: work, work: async () => {}, resolve: resolve as WriteJob["resolve"], reject });
    });
  }

  /** Refuses new jobs and waits for the queued ones, up to a time limit in milliseconds. */
  async close(limitMilliseconds: number): Promise<void> {
    this.#closing = true;
    if (!this.#draining) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMilliseconds);
    this.#whenIdle = resolve;
    await promise;
    clearTimeout(timer);
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
  }

  #enqueue(job: QueuedJob): void {
    if (this.#closing) return job.reject(closedError());
    this.#waiting.push(job);
    if (this.#draining) return;
    this.#draining = true;
    this.#schedule();
  }

  /** Starts on the next macrotask, so that jobs queued in one turn of the event loop share a commit. */
  #schedule(): void {
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    const [first] = this.#waiting;
    if (first?.maintenance !== undefined) this.#runMaintenance(first, first.maintenance);
    else if (first?.migration === undefined) await this.#runGroup();
    else await this.#runMigration(first, first.migration);
    if (this.#waiting.length > 0) return this.#schedule();
    this.#draining = false;
    this.#whenIdle();
  }

  async #runGroup(): Promise<void> {
    const group = new WriteGroup(this.#connection, this.#limits);
    const started = performance.now();
    try {
      group.begin();
      for (let job = this.#nextJob(group, started); job !== undefined; job = this.#nextJob(group, started)) {
        await group.run(job);
      }
      group.finish();
      this.#hooks.beforeCommit();
      group.commit();
      this.#commits++;
      this.#jobs += group.size;
      this.#hooks.afterCommit();
    } catch (error) {
      this.#hooks.failed(error);
      // If the transaction could not begin, the queued jobs would fail in the same way.
      if (group.size === 0) this.#rejectQueued(error);
      else group.fail(error);
    }
  }

  #rejectQueued(cause: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) {
      reject(unavailable("the database cannot begin a write transaction", cause));
    }
  }

  #nextJob(group: WriteGroup, started: number): WriteJob | undefined {
    const isFull = group.size >= this.#limits.groupJobs || performance.now() - started > this.#limits.groupTime;
    if (group.size > 0 && isFull) return undefined;
    const next = this.#waiting[0];
    return next?.migration === undefined && next?.maintenance === undefined ? this.#waiting.shift() : undefined;
  }

  #runMaintenance(job: QueuedJob, maintenance: () => void): void {
    this.#waiting.shift();
    try {
      rollBack(this.#connection);
      job.resolve(maintenance());
    } catch (error) {
      job.reject(error);
    }
  }

  async #runMigration(job: QueuedJob, migration: (session: MigrationSession) => Promise<unknown>): Promise<void> {
    this.#waiting.shift();
    const session = new LocalMigrationSession(this.#connection);
    try {
      rollBack(this.#connection);
      this.#connection.exec("begin immediate");
      this.#connection.mode = "migration";
      const result = await migration(session);
      session.end();
      this.#hooks.beforeCommit();
      this.#connection.exec("commit");
      this.#hooks.afterCommit();
      job.resolve(result);
    } catch (error) {
      job.reject(toUnavailable(error));
      rollBack(this.#connection);
      this.#connection.refresh();
    } finally {
      session.end();
      this.#connection.mode = "rows";
      this.#connection.forgetStatements();
    }
  }
}

function closedError(): Error {
  return kernelErrors.unavailable("the database is closed");
}
